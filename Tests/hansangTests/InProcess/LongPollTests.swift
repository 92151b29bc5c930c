import API
import JSON
import TestSupport
import Testing

@testable import hansang

@Suite("Held answers", .serialized, .timeLimit(.minutes(2)))
struct LongPollTests {
    private let server: LiveServer
    private let phone: WireClient

    init() throws {
        server = try LiveServer(in: TemporaryFolder()) { $0.streamLimits.perToken = 2 }
        phone = try server.client()
    }

    private func path(_ pin: String, after sequence: Int64, wait: Int) -> String { "/v1/rooms/\(pin)?after=\(sequence)&wait=\(wait)" }

    /// Opens a room, and returns its PIN and sequence.
    private func open() async throws -> (pin: String, sequence: Int64) {
        let pin = try await phone.open(token(1))
        return (pin, try #require(try await phone.send("GET", "/v1/rooms/\(pin)").json["sequence"]?.integer))
    }

    @Test("They come with the change, whether it was before they were asked for or after")
    func change() async throws {
        let (pin, sequence) = try await open()
        let request = WireClient.request("GET", path(pin, after: sequence, wait: 60), token: token(2))
        let held = try server.client()
        try await onOwnThread { [held] in try held.write(request) }
        let joined = try await phone.join(pin, token(2)).json
        let answer = try await onOwnThread { [held] in try held.read() }
        #expect(answer.status == 200)
        #expect(answer.json["sequence"] == joined["sequence"])
        #expect(answer.json["isMember"]?.bool == true)
        // It is an answer like any other, and the connection goes on.
        let poll = try await held.send("GET", "/v1/rooms/\(pin)", token: token(2))
        #expect(poll["ETag"] == answer["ETag"])
        #expect(state(poll.json) == state(answer.json))
        #expect(try await held.send("GET", path(pin, after: sequence, wait: 60), token: token(2)).json["sequence"] == joined["sequence"])
    }

    @Test("They come when the time is up, as what has not changed")
    func timeOut() async throws {
        let (pin, sequence) = try await open()
        let tag = try #require(try await phone.send("GET", "/v1/rooms/\(pin)")["ETag"])
        let began = ContinuousClock.now
        let answer = try await phone.send("GET", path(pin, after: sequence, wait: 1))
        #expect(ContinuousClock.now - began >= .seconds(1))
        #expect(answer.status == 200)
        #expect(answer.json["sequence"]?.integer == sequence)
        #expect(try await phone.send("GET", path(pin, after: sequence, wait: 1), fields: ["If-None-Match: \(tag)"]).status == 304)
        // What is further than the room may be yet to come.
        #expect(try await phone.send("GET", path(pin, after: sequence + 5, wait: 1)).json["sequence"]?.integer == sequence)
    }

    @Test("They come at once when the server stops")
    func stop() async throws {
        let (pin, sequence) = try await open()
        let held = try server.client()
        let requests = WireClient.request("GET", "/healthz") + WireClient.request("GET", path(pin, after: sequence, wait: 60))
        let answer = try await onOwnThread { [server] in
            try held.write(requests)
            // The answer to the first tells that the second has been seen.
            #expect(try held.read().status == 200)
            server.stop {}
            return try held.read()
        }
        #expect(answer.status == 200)
        #expect(answer.json["sequence"]?.integer == sequence)
        #expect(answer["Connection"] == "close")
    }

    @Test("They come at once to who sends no more, and who has gone leaves a place for others")
    func clientGone() async throws {
        let (pin, sequence) = try await open()
        let request = WireClient.request("GET", path(pin, after: sequence, wait: 60), token: token(1))
        for _ in 1...3 {
            let half = try server.client()
            let answer = try await onOwnThread {
                try half.write(request)
                half.finishSending()
                return try half.read()
            }
            #expect(answer.json["sequence"]?.integer == sequence)
        }
        // Two at a time, of which none is waited for.
        for _ in 1...3 {
            let clients = try (0..<2).map { _ in try server.client() }
            try await onOwnThread { for client in clients { try client.write(request) } }
        }
        #expect(try await eventually { try await phone.send("GET", path(pin, after: sequence, wait: 1), token: token(1)).status == 200 })
    }

    @Test("HEAD is not held")
    func head() async throws {
        let (pin, sequence) = try await open()
        // It would have to wait for longer than this test may take.
        for _ in 1...3 { #expect(try await phone.send("HEAD", path(pin, after: sequence, wait: 60)).status == 200) }
    }
}
