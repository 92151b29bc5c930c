import Glibc
import JSON
import TestSupport
import Testing

@Suite("Streams of a server that is killed, stopped and told its limits", .serialized, .timeLimit(.minutes(2)))
struct StreamProcessTests {
    @Test("After a kill the sequence goes on, and a client comes back to where it was")
    func killed() async throws {
        let folder = try TemporaryFolder()
        var server = try await ServerProcess(in: folder)
        let pin = try await server.client().open(token(1))
        var seen: Int64 = 0
        for round in 1...3 {
            let phone = try server.client()
            let stream = try await server.client().events(of: pin, token: token(1), lastEventID: round > 1 ? "\(seen)" : nil)
            #expect(try await stream.nextBlock() == .retry(2000))
            // All that was heard before the kill is durable: there is nothing to tell that is new.
            if round > 1 { #expect(try await stream.nextBlock() == .comment) }
            let joined = try await phone.join(pin, token(1 + round)).json
            let event = try await stream.nextEvent { $0["sequence"] == joined["sequence"] }
            let sequence = try #require(event["sequence"]?.integer)
            #expect(sequence > seen)
            seen = sequence
            #expect(event["isHost"]?.bool == true)
            try await server.kill()
            // Cut off, and not ended as if there were nothing more to come.
            await #expect(throws: WireError.self) { _ = try await stream.rest() }
            server = try await ServerProcess(in: folder)
        }
    }

    @Test("SIGTERM ends streams as they should end, and answers those that wait")
    func stopped() async throws {
        let server = try await ServerProcess(in: TemporaryFolder())
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        let stream = try await server.client().events(of: pin)
        let held = try server.client()
        let requests = WireClient.request("GET", "/healthz") + WireClient.request("GET", "/v1/rooms/\(pin)?after=1000&wait=60")
        try await onOwnThread {
            try held.write(requests)
            #expect(try held.read().status == 200)
        }
        server.program.send(SIGTERM)
        #expect(try await onOwnThread { try held.read() }.json["pin"]?.string == pin)
        #expect(try await stream.rest().count == 1)
        #expect(try await server.program.end() == .exit(0))
    }

    @Test("How many streams there may be is told by flags")
    func limits() async throws {
        let arguments = ["--port", "0", "--max-streams-per-token", "1", "--max-streams-per-address=2"]
        let server = try await ServerProcess(in: TemporaryFolder(), arguments)
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        let first = try await server.client().events(of: pin, token: token(1))
        #expect(try await phone.send("GET", "/v1/rooms/\(pin)/events", token: token(1)).status == 429)
        let second = try await server.client().events(of: pin)
        #expect(try await phone.send("GET", "/v1/rooms/\(pin)/events").status == 429)
        for stream in [first, second] { #expect(try await stream.nextBlock() == .retry(2000)) }
    }
}
