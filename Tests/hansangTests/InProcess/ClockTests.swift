import Foundation
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("What the clock does to those who listen", .serialized, .timeLimit(.minutes(2)))
struct ClockTests {
    private let clock = TestClock()
    private let server: LiveServer
    private let phone: WireClient

    init() throws {
        server = try LiveServer(in: TemporaryFolder(), clock: clock)
        phone = try server.client()
    }

    /// Opens a room that is revealed by the clock alone, ten seconds from now.
    private func open() async throws -> (pin: String, deadline: Int64) {
        let deadline = clock.now.milliseconds + 10_000
        let pin = try await phone.open(token(1), json: #"{"deadlineAt":\#(deadline),"revealWhen":{"host":false,"deadline":true}}"#)
        return (pin, deadline)
    }

    @Test("An open stream hears of the reveal when the deadline has come, though nobody asks")
    func deadline() async throws {
        let (pin, deadline) = try await open()
        let stream = try await server.client().events(of: pin)
        _ = try await phone.submit(pin, token(2))
        #expect(try await stream.nextEvent { $0["submissionCount"]?.integer == 1 }["phase"]?.string == "open")
        clock.advance(by: 10_400)
        let revealed = try await stream.nextEvent()
        #expect(revealed["phase"]?.string == "revealed")
        let result = try await phone.send("GET", "/v1/rooms/\(pin)/result").json
        #expect(result["revealedAt"]?.integer == deadline)
        #expect(result["sequence"] == revealed["sequence"])
    }

    @Test("A deadline before which nobody has answered reveals nothing, and the room stays open")
    func emptyRoom() async throws {
        let (pin, _) = try await open()
        let stream = try await server.client().events(of: pin)
        clock.advance(by: 20_000)
        _ = try await phone.submit(pin, token(2))
        let event = try await stream.nextEvent { $0["submissionCount"]?.integer == 1 }
        #expect(event["phase"]?.string == "open")
        // The host may now do what the clock has not.
        #expect(try await phone.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)
        #expect(try await stream.nextEvent()["phase"]?.string == "revealed")
    }

    @Test("When its time is up a room's streams end as they should, answers that were held come, and there is no such room")
    func expiry() async throws {
        let pin = try await phone.open(token(1))
        let sequence = try #require(try await phone.send("GET", "/v1/rooms/\(pin)").json["sequence"]?.integer)
        let client = try server.client()
        let stream = try await client.events(of: pin)
        let other = try await phone.open(token(1))
        clock.advance(by: 1000)
        let held = try server.client()
        let request = WireClient.request("GET", "/v1/rooms/\(pin)?after=\(sequence)&wait=60")
        // The answer to the first tells that the server has seen the second.
        try await onOwnThread {
            try held.write(WireClient.request("GET", "/healthz") + request)
            #expect(try held.read().status == 200)
        }
        clock.advance(by: 24 * 60 * 60 * 1000)
        let blocks = try await stream.blocks()
        #expect(blocks.count(where: { $0.json["pin"]?.string == pin }) == 1 && blocks.last == .end)
        #expect(try await onOwnThread { try held.read() }.code == "room-not-found")
        // On the connection that had the stream.
        #expect(try await client.send("GET", "/v1/rooms/\(pin)/events").code == "room-not-found")
        #expect(try await phone.send("GET", "/v1/rooms/\(other)").code == "room-not-found")
    }

    @Test("By the real clock, too: an open stream is told within a second")
    func realClock() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let phone = try server.client()
        // Time enough for three requests on a machine that has much else to do.
        let deadline = Int64(Date().timeIntervalSince1970 * 1000) + 10_000
        let pin = try await phone.open(token(1), json: #"{"deadlineAt":\#(deadline),"revealWhen":{"host":false,"deadline":true}}"#)
        let stream = try await server.client().events(of: pin)
        let submitted = try await phone.submit(pin, token(2)).json
        // Later than that it would have been spent.
        try #require(try #require(submitted["submission"]?["submittedAt"]?.integer) < deadline)
        let revealed = try await stream.nextEvent { $0["phase"]?.string == "revealed" }
        let told = try #require(revealed["serverTime"]?.integer)
        // One more second for a machine that has much else to do.
        #expect((deadline...deadline + 2000).contains(told))
        #expect(try await phone.send("GET", "/v1/rooms/\(pin)/result").json["revealedAt"]?.integer == deadline)
    }
}
