import API
import JSON
import TestSupport
import Testing

@testable import hansang

@Suite("How many streams there may be", .serialized, .timeLimit(.minutes(2)))
struct StreamLimitTests {
    private let clock = TestClock()

    @Test("One token has so many streams and held answers at a time, and gets another when one has ended, however it did")
    func perToken() async throws {
        let server = try LiveServer(in: TemporaryFolder(), clock: clock) { $0.streamLimits.perToken = 2 }
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        let path = "/v1/rooms/\(pin)/events"
        var kept: [WireClient] = []
        for end in ["cut", "half", "expiry"] {
            var pin = pin
            if end == "expiry" { pin = try await phone.open(token(1)) }
            let clients = try (0..<2).map { _ in try server.client() }
            var streams: [EventReader] = []
            for client in clients {
                // Those of the round before may just be going.
                var opened: EventReader?
                #expect(
                    try await eventually {
                        opened = try? await client.events(of: pin, token: token(1))
                        return opened != nil
                    })
                streams.append(try #require(opened))
            }
            let refused = try await phone.send("GET", path, token: token(1))
            #expect(refused.status == 429)
            #expect(refused.code == "too-many-attempts")
            #expect(refused["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
            #expect(try await phone.send("GET", "/v1/rooms/\(pin)?after=1000&wait=1", token: token(1)).status == 429)
            // Neither others, nor what is not held, nor HEAD.
            #expect(try await phone.send("GET", "/v1/rooms/\(pin)", token: token(1)).status == 200)
            #expect(try await phone.send("HEAD", path, token: token(1)).status == 200)
            #expect(try await server.client().events(of: pin, token: token(2)).nextBlock() == .retry(2000))
            switch end {
            case "half":
                for client in clients { client.finishSending() }
                kept += clients
            case "expiry":
                clock.advance(by: 24 * 60 * 60 * 1000)
                for stream in streams { _ = try await stream.rest() }
            default: break
            }
        }
        #expect(kept.count == 2)
        let fresh = try await phone.open(token(1))
        #expect(try await eventually { (try? await server.client().events(of: fresh, token: token(1))) != nil })
    }

    @Test("One address has so many, whoever asks")
    func perAddress() async throws {
        let server = try LiveServer(in: TemporaryFolder()) { $0.streamLimits.perAddress = 3 }
        let phone = try server.client()
        let pin = try await phone.open(token(1))
        do {
            var streams: [EventReader] = []
            for caller in [nil, token(1), token(2)] { streams.append(try await server.client().events(of: pin, token: caller)) }
            for caller in [nil, token(3)] {
                #expect(try await phone.send("GET", "/v1/rooms/\(pin)/events", token: caller).code == "too-many-attempts")
            }
            #expect(streams.count == 3)
        }
        #expect(try await eventually { (try? await server.client().events(of: pin)) != nil })
    }
}
