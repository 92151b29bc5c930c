import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import Push

@Suite("APNs", .timeLimit(.minutes(2))) struct APNsTests {
    @Test("takes a message whose token it verifies, under an id and a collapse id of its own") func accepted() async throws {
        let table = try await Table()
        let message = table.message(.apns, language: .en)
        #expect(await table.send(message) == .accepted)
        let accepted = try #require(try await table.standIn.accepted.first)
        #expect(accepted["token"]?.string == "a1b2c3")
        #expect(accepted["id"]?.string == message.id.uuid)
        let fields = accepted["message"]?["fields"]
        #expect(fields?["apns-topic"]?.string == "com.example.hansang")
        #expect(fields?["apns-push-type"]?.string == "alert")
        #expect(fields?["apns-priority"]?.string == "10")
        #expect(fields?["apns-collapse-id"]?.string == message.notice.room.text)
        #expect(fields?["apns-expiration"]?.string == "\(message.notice.expiresAt.milliseconds / 1000)")
        let payload = accepted["message"]?["payload"]
        #expect(payload?["aps"]?["alert"]?["body"]?.string == "The result is in.")
        #expect(payload?["room"]?.string == message.notice.room.text)
        #expect(payload?["sequence"]?.integer == 7)
    }

    @Test("is sent a duplicate under the same id, and what came later under the same collapse id") func duplicate() async throws {
        let table = try await Table()
        for sequence in [7, 7, 8] { #expect(await table.send(table.message(.apns, sequence: sequence)) == .accepted) }
        let accepted = try await table.standIn.accepted
        #expect(accepted[0]["id"] == accepted[1]["id"])
        #expect(accepted[1]["id"] != accepted[2]["id"])
        #expect(Set(accepted.map { $0["collapse"] }).count == 1)
    }

    @Test("is told of a live activity what the room is, and at its end to take it away") func liveActivity() async throws {
        let table = try await Table()
        #expect(await table.send(table.message(.liveActivity, stage: .revealed)) == .accepted)
        #expect(await table.send(table.message(.liveActivity, stage: .decided, sequence: 8)) == .accepted)
        let messages = try await table.standIn.accepted.map { $0["message"] }
        #expect(messages[0]?["fields"]?["apns-topic"]?.string == "com.example.hansang.push-type.liveactivity")
        #expect(messages[0]?["fields"]?["apns-push-type"]?.string == "liveactivity")
        let now = table.clock.now.milliseconds
        let (update, end) = (messages[0]?["payload"]?["aps"], messages[1]?["payload"]?["aps"])
        #expect(update?["event"]?.string == "update")
        #expect(update?["timestamp"]?.integer == now / 1000)
        #expect(update?["stale-date"]?.integer == now / 1000 + 10)
        #expect(update?["dismissal-date"] == nil)
        let state = update?["content-state"]
        #expect(state?["phase"]?.string == "revealed")
        #expect(state?["memberCount"]?.integer == 5)
        #expect(state?["submissionCount"]?.integer == 4)
        #expect(state?["sequence"]?.integer == 7)
        #expect(state?["serverTime"]?.integer == now)
        #expect(end?["event"]?.string == "end")
        #expect(end?["content-state"]?["phase"]?.string == "decided")
        #expect(try #require(end?["dismissal-date"]?.integer) > now / 1000)
    }

    @Test(
        "means by its reasons what Apple says",
        arguments: [
            (400, "BadDeviceToken", PushOutcome.rejected("BadDeviceToken")),
            (400, "DeviceTokenNotForTopic", .rejected("DeviceTokenNotForTopic")),
            (400, "BadCollapseId", .rejected("BadCollapseId")),
            (400, "PayloadEmpty", .rejected("PayloadEmpty")),
            (400, "TopicDisallowed", .unauthorized("TopicDisallowed")),
            (400, "IdleTimeout", .again(after: nil, troubled: true, "IdleTimeout")),
            (403, "InvalidProviderToken", .unauthorized("InvalidProviderToken")),
            (403, "Forbidden", .unauthorized("Forbidden")),
            (404, "BadPath", .rejected("BadPath")),
            (405, "MethodNotAllowed", .rejected("MethodNotAllowed")),
            (413, "PayloadTooLarge", .rejected("PayloadTooLarge")),
            (429, "TooManyProviderTokenUpdates", .again(after: .seconds(60), troubled: true, "TooManyProviderTokenUpdates")),
            (429, "TooManyRequests", .again(after: .seconds(30), troubled: false, "TooManyRequests")),
            (500, "InternalServerError", .again(after: nil, troubled: true, "InternalServerError")),
            (503, "ServiceUnavailable", .again(after: nil, troubled: true, "ServiceUnavailable")),
            (503, "Shutdown", .again(after: nil, troubled: true, "Shutdown")),
        ])
    func reasons(status: Int, reason: String, outcome: PushOutcome) async throws {
        let response = HTTPResponse(status: status, retryAfter: nil, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
        guard case .outcome(outcome) = APNsAnswer(response) else {
            Issue.record("\(reason) is \(APNsAnswer(response))")
            return
        }
    }

    @Test("names its reasons only in words, whatever it sends") func strangeReasons() {
        for reason in ["a1b2c3", "no such device", "", String(repeating: "a", count: 65)] {
            let response = HTTPResponse(status: 400, retryAfter: nil, body: Array(#"{"reason":"\#(reason)"}"#.utf8))
            guard case .outcome(.rejected("HTTP 400")) = APNsAnswer(response) else {
                Issue.record("\(APNsAnswer(response))")
                continue
            }
        }
    }

    @Test("is waited for as long as it asks, within reason") func retryAfter() async throws {
        let table = try await Table()
        try await table.standIn.script(
            "a1b2c3", #"{"status":503,"fields":{"retry-after":"17"},"json":{"reason":"Shutdown"}}"#,
            #"{"status":429,"fields":{"retry-after":"999999999999"},"json":{"reason":"TooManyRequests"}}"#,
            #"{"status":503,"fields":{"retry-after":"soon"}}"#)
        #expect(await table.send(table.message(.apns)) == .again(after: .seconds(17), troubled: true, "Shutdown"))
        #expect(await table.send(table.message(.apns)) == .again(after: .seconds(3600), troubled: false, "TooManyRequests"))
        #expect(await table.send(table.message(.apns)) == .again(after: nil, troubled: true, "HTTP 503"))
    }

    @Test("says since when a device is gone") func gone() async throws {
        let table = try await Table()
        try await table.standIn.script(
            "a1b2c3", #"{"status":410,"json":{"reason":"Unregistered","timestamp":1790000000123}}"#,
            #"{"status":410,"json":{"reason":"ExpiredToken"}}"#)
        #expect(await table.send(table.message(.apns)) == .gone(since: Instant(milliseconds: 1_790_000_000_123)))
        #expect(await table.send(table.message(.apns)) == .gone(since: nil))
    }

    @Test("is shown one token for 40 minutes, and then another") func renewal() async throws {
        let table = try await Table()
        #expect(await table.send(table.message(.apns)) == .accepted)
        try await table.advance(by: 39 * 60_000)
        #expect(await table.send(table.message(.apns)) == .accepted)
        #expect(try await table.standIn.tell().count("providerTokens") == 1)
        try await table.advance(by: 2 * 60_000)
        #expect(await table.send(table.message(.apns)) == .accepted)
        #expect(try await table.standIn.tell().count("providerTokens") == 2)
    }

    @Test("that finds our token too old is shown another at once, and the message goes out") func expired() async throws {
        let table = try await Table()
        #expect(await table.send(table.message(.apns)) == .accepted)
        try await table.advance(by: 21 * 60_000)
        try await table.standIn.script("a1b2c3", #"{"status":403,"json":{"reason":"ExpiredProviderToken"}}"#)
        #expect(await table.send(table.message(.apns)) == .accepted)
        #expect(try await table.standIn.tell().count("providerTokens") == 2)
    }

    @Test("that finds a token too old which is not 20 minutes old is shown no other: our clock is wrong") func tooSoon() async throws {
        let table = try await Table()
        try await table.standIn.tell(#"{"now":\#(table.clock.now.milliseconds + 2 * 3_600_000)}"#)
        for _ in 0..<3 { #expect(await table.send(table.message(.apns)) == .unauthorized("ExpiredProviderToken")) }
        #expect(try await table.standIn.tell().count("requests") == 3)
    }

    @Test("is told nothing of a device whose token could be anything else in an address") func badToken() async throws {
        let table = try await Table()
        for token in ["", "../../control", "a1?x=1", "a1 b2", "zz", String(repeating: "a", count: PushPlatform.tokenLength.upperBound + 1)]
        {
            #expect(await table.send(table.message(.apns, to: token)) == .rejected("BadDeviceToken"))
        }
        #expect(try await table.standIn.tell().count("requests") == 0)
    }

    @Test("that cannot be reached is tried again", arguments: [#"{"do":"reset"}"#, #"{"do":"close","times":9}"#]) func broken(
        script: String
    ) async throws {
        let table = try await Table()
        try await table.standIn.script("a1b2c3", script)
        guard case .again(after: nil, troubled: true, _) = await table.send(table.message(.apns)) else {
            Issue.record("not tried again")
            return
        }
        try await table.standIn.tell(#"{"forget":true}"#)
        #expect(await table.send(table.message(.apns)) == .accepted)
    }
}
