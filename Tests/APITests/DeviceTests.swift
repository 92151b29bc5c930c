import HTTP
import JSON
import MenuGame
import SQLiteStore
import TestSupport
import Testing
import UseCases

@testable import API

@Suite("Devices")
struct DeviceTests {
    private static let apns = String(repeating: "0123456789abcdef", count: 4)
    private static let fcm = "fcm-token:APA91bH_secret-0123456789"

    private func register(
        _ server: TestServer, _ number: Int, _ json: String, fields: [String: String] = [:]
    ) async -> Answer {
        await server.send(.put, "/v1/devices/me", token: token(number), json: json, fields: fields)
    }

    private func fcm(_ token: String = fcm) -> String { #"{"platform":"fcm","pushToken":"\#(token)","locale":"en"}"# }

    /// What would be sent now.
    private func outbox(_ server: TestServer) throws -> [PushMessage] {
        let now = server.clock.now
        return try PushService.allCases.flatMap { service in
            try server.store.lease(service, at: now, until: now.advanced(by: 1), limit: 100).messages
        }
    }

    @Test("register, are told of what happens in their rooms, and unregister") func game() async throws {
        let server = try TestServer()
        #expect(await register(server, 1, fcm()).status == 204)
        #expect(
            await register(server, 2, #"{"platform":"apns","pushToken":"\#(Self.apns)"}"#, fields: ["Accept-Language": "en"]).status == 204)
        let pin = try await server.open(token(1))
        _ = await server.submit(pin, token(1), "{}")
        #expect(try outbox(server) == [])
        _ = await server.submit(pin, token(2), "{}")
        let complete = try outbox(server)
        #expect(complete.map(\.registration.pushToken) == [Self.fcm])
        #expect(complete.map(\.notice.stage) == [.allSubmitted])
        #expect(complete.map(\.registration.language) == [.en])
        server.clock.advance(by: 10)
        let revealed = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        let messages = try outbox(server)
        #expect(Set(messages.map(\.registration.pushToken)) == [Self.fcm, Self.apns])
        #expect(messages.allSatisfy { $0.registration.language == .en && $0.notice.stage == .revealed })
        #expect(messages.first?.notice.sequence == revealed.json["sequence"]?.integer.map(Int.init))
        #expect(messages.first?.notice.at == server.clock.now)
        #expect(await server.send(.delete, "/v1/devices/me", token: token(2)).status == 204)
        #expect(await server.send(.delete, "/v1/devices/me", token: token(2)).status == 204)
        server.clock.advance(by: 10)
        let menu = revealed.json["menus"]?.array?.first?["id"]?.string ?? ""
        _ = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(menu)"}"#)
        let decided = try outbox(server)
        #expect(decided.map(\.registration.pushToken) == [Self.fcm])
        #expect(decided.map(\.notice.stage) == [.decided])
    }

    @Test("have a live activity of one room, which hears of it alone and to its end") func liveActivity() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        let other = try await server.open(token(1))
        let json = #"{"platform":"apns-live-activity","pushToken":"\#(Self.apns)","room":"\#(pin)"}"#
        #expect(await register(server, 2, json).status == 204)
        for room in [pin, other] {
            _ = await server.submit(room, token(1), "{}")
            _ = await server.submit(room, token(2), "{}")
        }
        #expect(try outbox(server).map(\.notice.stage) == [.allSubmitted])
        server.clock.advance(by: 10)
        #expect(await server.send(.delete, "/v1/rooms/\(other)", token: token(1)).status == 204)
        #expect(await server.send(.delete, "/v1/rooms/\(pin)", token: token(1)).status == 204)
        let messages = try outbox(server)
        #expect(messages.map(\.notice.stage) == [.over])
        #expect(messages.map(\.registration.platform) == [.liveActivity])
        #expect(await register(server, 2, json).code == "room-not-found")
    }

    @Test("are told why they are not registered") func faults() async throws {
        let server = try TestServer()
        #expect(await server.send(.put, "/v1/devices/me", json: fcm()).code == "token-required")
        #expect(await server.send(.delete, "/v1/devices/me").code == "token-required")
        for (json, pointers) in [
            ("{}", ["/platform", "/pushToken"]), (#"{"platform":"wns","pushToken":"a"}"#, ["/platform"]),
            (#"{"platform":"fcm","pushToken":""}"#, ["/pushToken"]), (#"{"platform":"fcm","pushToken":"a b"}"#, ["/pushToken"]),
            (#"{"platform":"fcm","pushToken":"\#(String(repeating: "a", count: 1025))"}"#, ["/pushToken"]),
            (#"{"platform":"fcm","pushToken":"토큰"}"#, ["/pushToken"]), (#"{"platform":"fcm","pushToken":1}"#, ["/pushToken"]),
            (#"{"platform":"apns","pushToken":"../../x"}"#, ["/pushToken"]), (#"{"platform":"apns","pushToken":"zz"}"#, ["/pushToken"]),
            (#"{"platform":"apns-live-activity","pushToken":"aa"}"#, ["/room"]),
            (#"{"platform":"fcm","pushToken":"a","locale":1}"#, ["/locale"]), ("[]", [""]),
        ] {
            let answer = await register(server, 1, json)
            #expect(answer.status == 422)
            #expect(answer.pointers == pointers)
        }
        let json = #"{"platform":"apns-live-activity","pushToken":"aa","room":"000000"}"#
        #expect(await register(server, 1, json).code == "room-not-found")
    }

    @Test("are never told their push tokens, nor anybody else") func secrecy() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        var answers = [await register(server, 1, fcm()), await register(server, 1, #"{"platform":"apns","pushToken":"\#(Self.fcm)"}"#)]
        for path in ["", "/result", "/submission"] { answers.append(await server.send(.get, "/v1/rooms/\(pin)\(path)", token: token(1))) }
        answers.append(await server.send(.get, "/readyz"))
        for answer in answers {
            #expect(!answer.text.contains(Self.fcm))
            #expect(answer.fields.allSatisfy { !$0.value.contains(Self.fcm) })
        }
    }

    @Test("that register without end from one address are told to wait, and others are not") func limit() async throws {
        let server = try TestServer()
        var last = await register(server, 1, fcm())
        for number in 1...APIBounds.registrations.burst { last = await register(server, number, fcm("token-\(number)")) }
        #expect(last.code == "too-many-attempts")
        let other = await server.send(.put, "/v1/devices/me", token: token(1), json: fcm(), from: "192.0.2.9")
        #expect(other.status == 204)
    }

    @Test("of the shipped app count among those that one address may register, and what is too many plays on") func legacyLimit()
        async throws
    {
        let server = try TestServer(legacy: true, push: PushOffer(includesLegacy: true))
        let pin = try await server.legacyOpen(token(1))
        for number in 2...APIBounds.registrations.burst { _ = await register(server, number, fcm("token-\(number)")) }
        #expect(await register(server, 1, fcm()).code == "too-many-attempts")
        #expect(await server.legacySubmit(pin, token(2)).status < 300)
    }

    @Test("of the shipped app are registered by themselves where the server says so, and else not", arguments: [true, false])
    func legacy(isOn: Bool) async throws {
        let server = try TestServer(legacy: true, push: PushOffer(includesLegacy: isOn))
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(1))
        _ = await server.legacySubmit(pin, token(2))
        // The registration is on its way beside the game.
        #expect(
            try await eventually(within: isOn ? .seconds(20) : .milliseconds(100)) {
                server.clock.advance(by: 10)
                _ = await server.send(.get, "/group/\(pin)/gameresult")
                return try Set(outbox(server).map(\.registration.pushToken)) == [token(1), token(2)]
            } == isOn)
    }

    @Test("are told by services that the server has, and it says which") func readiness() async throws {
        #expect(await (try TestServer()).send(.get, "/readyz").text == #"{"status":"ready","push":{"fcm":"off","apns":"off"}}"#)
        let server = try TestServer(push: PushOffer(services: [.apns]))
        #expect(await server.send(.get, "/readyz").text == #"{"status":"ready","push":{"fcm":"off","apns":"on"}}"#)
    }

    @Test("that nobody renews for 60 days are forgotten") func idle() async throws {
        let server = try TestServer()
        #expect(await register(server, 1, fcm()).status == 204)
        let devices = Devices(rooms: server.rooms, registry: server.store)
        func sweep() async { await withCheckedContinuation { continuation in devices.sweep { continuation.resume() } } }
        func isTold() async throws -> Bool {
            let pin = try await server.open(token(1))
            _ = await server.submit(pin, token(1), "{}")
            _ = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
            return try !outbox(server).isEmpty
        }
        server.clock.advance(by: 60 * 86_400_000 - 1)
        await sweep()
        #expect(try await isTold())
        server.clock.advance(by: 1)
        await sweep()
        #expect(try await !isTold())
    }
}
