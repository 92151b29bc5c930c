import TestSupport
import Testing

@Suite("A store with rooms", .serialized, .timeLimit(.minutes(1))) struct LostKeyTests {
    @Test("has a fault where it does not say which key their members are known under") func noKey() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path("rooms.sqlite")
        let server = try await ServerProcess(in: folder)
        _ = try await server.client().open(token(1))
        try await server.kill()
        try SQLiteTampering.run("DELETE FROM token_key", on: store)
        let check = try await Program.run(["check", "--store", "sqlite:\(store)"])
        #expect(check.ending == .exit(65))
        #expect(check.errors.contains("has rooms and not the key that they belong to"))
        // Without rooms nobody is known under any.
        try SQLiteTampering.run("PRAGMA foreign_keys = ON; DELETE FROM room", on: store)
        #expect(try await Program.run(["check", "--store", "sqlite:\(store)"]).ending == .exit(0))
    }
}
