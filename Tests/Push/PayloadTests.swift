import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import Push

@Suite("A payload") struct PayloadTests {
    @Test("stays within what the services take, at every stage and in every language", arguments: PushStage.allCases) func size(
        stage: PushStage
    ) throws {
        for language in Language.allCases {
            for platform in [PushPlatform.apns, .liveActivity] {
                let bytes = APNsPayload.bytes(.sample(platform, stage: stage, language: language))
                #expect(bytes.count < 1024)
                #expect(try JSONValue(parsing: bytes)["aps"] != nil)
            }
            let message = PushMessage.sample(.fcm, to: String(repeating: "t", count: 4096), stage: stage, language: language)
            #expect(FCMPayload.bytes(message, at: message.notice.at).count < 4096 + 1024)
        }
    }

    @Test("says nothing but which room, how far, and how many", arguments: PushStage.allCases) func secrecy(stage: PushStage) throws {
        // Whatever is in it is one of these; a message does not even hold a PIN, a name, an answer or a menu.
        let known: Set = [
            "aps", "alert", "title", "body", "sound", "thread-id", "room", "sequence", "stage", "timestamp", "event", "content-state",
            "phase",
            "memberCount", "submissionCount", "serverTime", "stale-date", "dismissal-date", "message", "token", "notification", "data",
            "id",
            "android", "collapse_key", "priority", "ttl", "tag", "apns", "headers", "apns-push-type", "apns-priority", "apns-expiration",
            "apns-collapse-id", "payload",
        ]
        func names(_ value: JSONValue) -> Set<String> {
            (value.object ?? []).reduce(into: []) { $0.formUnion(names($1.value).union([$1.name])) }
        }
        for platform in PushPlatform.allCases {
            let message = PushMessage.sample(platform, stage: stage)
            let bytes = platform == .fcm ? FCMPayload.bytes(message, at: message.notice.at) : APNsPayload.bytes(message)
            #expect(names(try JSONValue(parsing: bytes)).isSubset(of: known))
        }
    }

    @Test("of a stage differs from every other's in both languages") func texts() {
        for language in Language.allCases {
            #expect(Set(PushStage.allCases.map { PushTexts.body($0)[language] }).count == PushStage.allCases.count)
        }
    }

    @Test("has an id that is a UUID, the same for good, and another for anything else") func ids() {
        let id = PushMessage.ID(room: Identifier("r0123456789abcdefghj"), order: 7, registration: 1)
        #expect(id.uuid == "38b5929b-db84-80c4-9428-50f967ace5c6")
        #expect(id.uuid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        let others = [
            PushMessage.ID(room: Identifier("r0123456789abcdefghk"), order: 7, registration: 1),
            PushMessage.ID(room: id.room, order: 71, registration: 1), PushMessage.ID(room: id.room, order: 7, registration: 11),
        ]
        #expect(Set(others.map(\.uuid) + [id.uuid]).count == 4)
    }
}
