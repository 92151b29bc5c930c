import JSON
import TestSupport
import Testing

@Suite("While processes are started", .serialized, .timeLimit(.minutes(2)))
struct SpawnTests {
    @Test("No stream ends because a child, for a moment, holds a connection that has closed")
    func inheritedDescriptors() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let pin = try await server.client().open(token(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        let program = try Program([], path: "/bin/true")
                        #expect(try await program.end() == .exit(0))
                    }
                }
                group.addTask {
                    // Each has the number of one that has just closed.
                    try await onOwnThread {
                        for number in 0..<300 {
                            let stream = try EventReader(server.client(), "/v1/rooms/\(pin)/events")
                            let renamed = try server.client().ask(
                                "PUT", "/v1/rooms/\(pin)/members/me", token: token(1), json: #"{"nickname":"\#(number)"}"#)
                            let sequence = try #require(renamed.json["sequence"]?.integer)
                            _ = try stream.event { $0["sequence"]?.integer ?? 0 >= sequence }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
