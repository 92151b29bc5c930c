import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import Push

@Suite("FCM", .timeLimit(.minutes(2))) struct FCMTests {
    private func error(_ status: Int, _ name: String, _ code: String?) -> String {
        let details = code.map { #"{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#($0)"}"# } ?? ""
        return #"{"error":{"code":\#(status),"message":"m","status":"\#(name)","details":[\#(details)]}}"#
    }

    @Test("takes a message once it has given us a token for ours") func accepted() async throws {
        let table = try await Table()
        let message = table.message(.fcm, to: "device:1", language: .ko)
        #expect(await table.send(message) == .accepted)
        let accepted = try #require(try await table.standIn.accepted.first)
        #expect(accepted["token"]?.string == "device:1")
        #expect(accepted["id"]?.string == message.id.uuid)
        #expect(accepted["collapse"]?.string == message.notice.room.text)
        let sent = accepted["message"]
        #expect(sent?["notification"]?["body"]?.string == "추천 결과가 나왔어요.")
        #expect(sent?["data"]?["room"]?.string == message.notice.room.text)
        #expect(sent?["data"]?["sequence"]?.string == "7")
        #expect(sent?["android"]?["priority"]?.string == "HIGH")
        #expect(sent?["android"]?["ttl"]?.string == "3600s")
        #expect(sent?["apns"]?["headers"]?["apns-expiration"]?.string == "\(message.notice.expiresAt.milliseconds / 1000)")
    }

    @Test("is asked for one token, however many messages wait for it") func oneToken() async throws {
        let table = try await Table()
        let outcomes = await withTaskGroup(of: PushOutcome.self) { group in
            for number in 1...60 { group.addTask { await table.send(table.message(.fcm, to: "d\(number)", registration: Int64(number))) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes == Array(repeating: .accepted, count: 60))
        let seen = try await table.standIn.tell()
        #expect(seen.count("tokenRequests") == 1)
        #expect(seen.count("distinct") == 60)
    }

    @Test("is asked for another token shortly before one ends") func refresh() async throws {
        let table = try await Table()
        #expect(await table.send(table.message(.fcm)) == .accepted)
        try await table.advance(by: 54 * 60_000)
        #expect(await table.send(table.message(.fcm)) == .accepted)
        #expect(try await table.standIn.tell().count("tokenRequests") == 1)
        try await table.advance(by: 2 * 60_000)
        #expect(await table.send(table.message(.fcm)) == .accepted)
        #expect(try await table.standIn.tell().count("tokenRequests") == 2)
    }

    @Test("that refuses a token before its time is asked for another, and the message goes out") func revoked() async throws {
        let table = try await Table()
        #expect(await table.send(table.message(.fcm)) == .accepted)
        try await table.standIn.tell(#"{"revoke":true}"#)
        #expect(await table.send(table.message(.fcm)) == .accepted)
        #expect(try await table.standIn.tell().count("tokenRequests") == 2)
    }

    @Test("that refuses every token is not asked for a third") func refused() async throws {
        let table = try await Table()
        try await table.standIn.script("a1b2c3", #"{"status":401,"json":\#(error(401, "UNAUTHENTICATED", nil)),"times":9}"#)
        #expect(await table.send(table.message(.fcm)) == .unauthorized("UNAUTHENTICATED"))
        #expect(try await table.standIn.tell().count("tokenRequests") == 2)
    }

    @Test("that does not know our account lets nothing out; that fails to give a token is asked again later") func noToken() async throws {
        let table = try await Table()
        try await table.standIn.script(
            "token", #"{"status":400,"json":{"error":"invalid_grant"}}"#, #"{"status":503,"fields":{"retry-after":"5"}}"#,
            #"{"status":200,"json":{"token_type":"Bearer"}}"#, #"{"do":"reset"}"#)
        #expect(await table.send(table.message(.fcm)) == .unauthorized("invalid_grant"))
        #expect(await table.send(table.message(.fcm)) == .again(after: .seconds(5), troubled: true, "HTTP 503"))
        #expect(await table.send(table.message(.fcm)) == .again(after: nil, troubled: true, "no access token in the answer"))
        guard case .again(after: nil, troubled: true, _) = await table.send(table.message(.fcm)) else {
            Issue.record("not tried again")
            return
        }
        #expect(await table.send(table.message(.fcm)) == .accepted)
    }

    @Test(
        "means by its codes what Google says",
        arguments: [
            (404, "NOT_FOUND", String?("UNREGISTERED"), PushOutcome.gone(since: nil)),
            (400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", .rejected("INVALID_ARGUMENT")),
            (403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", .rejected("SENDER_ID_MISMATCH")),
            (429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", .again(after: .seconds(60), troubled: true, "QUOTA_EXCEEDED")),
            (503, "UNAVAILABLE", "UNAVAILABLE", .again(after: .seconds(10), troubled: true, "UNAVAILABLE")),
            (500, "INTERNAL", "INTERNAL", .again(after: .seconds(10), troubled: true, "INTERNAL")),
            (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", .rejected("THIRD_PARTY_AUTH_ERROR")),
            (403, "PERMISSION_DENIED", String?.none, .unauthorized("PERMISSION_DENIED")),
            (404, "NOT_FOUND", String?.none, .unauthorized("NOT_FOUND")),
        ])
    func codes(status: Int, name: String, code: String?, outcome: PushOutcome) {
        let answer = FCMAnswer(HTTPResponse(status: status, retryAfter: nil, body: Array(error(status, name, code).utf8)))
        guard case .outcome(outcome) = answer else {
            Issue.record("\(code ?? name) is \(answer)")
            return
        }
    }

    @Test("says of a malformed token by which field it is, and only then the device is gone") func badToken() {
        let violation = #"{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message.token"}]}"#
        let body = #"{"error":{"code":400,"status":"INVALID_ARGUMENT","details":[\#(violation)]}}"#
        guard case .outcome(.gone(since: nil)) = FCMAnswer(HTTPResponse(status: 400, retryAfter: nil, body: Array(body.utf8))) else {
            Issue.record("not gone")
            return
        }
    }

    @Test("is waited for as long as it asks") func retryAfter() async throws {
        let table = try await Table()
        let body = error(429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
        try await table.standIn.script("a1b2c3", #"{"status":429,"fields":{"retry-after":"90"},"json":\#(body)}"#)
        #expect(await table.send(table.message(.fcm)) == .again(after: .seconds(90), troubled: true, "QUOTA_EXCEEDED"))
    }
}
