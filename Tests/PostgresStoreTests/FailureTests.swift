import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("When the database fails", .sharesPostgres, .blocks) struct FailureTests {
    @Test("a commit whose connection breaks throws, and the next ones heal by themselves") func brokenWriter() async throws {
        let servers = try Servers()
        let room = try servers.room()
        try servers.second.hold([room.id])
        let backend = try servers.committing(of: 0)
        let commit = begin { try servers.first.commit([room.joined(by: 2)]) }
        #expect(try await servers.waits(backend, for: "Lock"))
        try servers.end(backend)
        let error = await #expect(throws: StoreError.self) { try await commit.value }
        #expect(error?.detail.contains("terminating connection") == true)
        servers.second.release()
        #expect(try await eventually(within: patience) { (try? servers.first.commit([room.joined(by: 3)])) == [.stored] })
        #expect(try servers.second.load(room.pin, at: Sample.now)?.members.map(\.token) == [Sample.token(1), Sample.token(3)])
    }

    @Test("a connection that broke while nobody used it is replaced before anybody does") func brokenIdle() async throws {
        var limits = TimeLimits.patient
        limits.heartbeat = .milliseconds(50)
        let servers = try Servers(1, limits: limits)
        let room = try servers.room()
        let before = Set(try servers.backends(of: 0))
        for backend in before { try servers.end(backend) }
        #expect(
            try await eventually(within: patience) {
                let after = try servers.backends(of: 0)
                return after.count == 4 && before.isDisjoint(with: after)
            })
        // The server knows of them before we do.
        #expect(try await eventually(within: patience) { (try? servers.first.load(room.pin, at: Sample.now)) != nil })
        #expect(try await eventually(within: patience) { (try? servers.first.commit([])) == [] && servers.first.isWritable() })
    }

    @Test("calls fail at once while the server is away, and succeed when it is back") func away() async throws {
        let server = try await PostgresServer.started()
        let servers = try Servers(1, on: server)
        let store = servers.first
        let room = try servers.room()
        for command in ["stop", "kill"] {
            try await server.tell(command)
            // The first may find out, the others know.
            _ = try? store.commit([room.joined(by: 9)])
            let begin = ContinuousClock.now
            for _ in 0..<100 {
                #expect(throws: StoreError.self) { try store.load(room.pin, at: Sample.now) }
                #expect(throws: StoreError.self) { try store.commit([room.joined(by: 9)]) }
                #expect(!store.isWritable())
            }
            // Three hundred that each waited for anything would take a time limit of theirs each.
            #expect(ContinuousClock.now - begin < .seconds(300))
            try await server.tell("start")
            #expect(try await eventually(within: patience) { (try? store.load(room.pin, at: Sample.now)) == RoomRecord(room) })
            #expect(try await eventually(within: patience) { store.isWritable() })
        }
        #expect(try await eventually(within: patience) { (try? store.commit([room.joined(by: 2)])) == [.stored] })
    }

    @Test("whoever waits for a server that says nothing is let go when the time is up, and it heals") func frozen() async throws {
        let server = try await PostgresServer.started()
        var limits = TimeLimits.patient
        (limits.write, limits.read) = (.milliseconds(300), .milliseconds(300))
        let servers = try Servers(1, on: server, limits: limits)
        let store = servers.first
        let room = try servers.room()
        try await server.tell("freeze")
        let commit = try #require(throws: StoreError.self) { try store.commit([room.joined(by: 2)]) }
        let load = try #require(throws: StoreError.self) { try store.load(room.pin, at: Sample.now) }
        for error in [commit, load] { #expect(error.detail == "PostgreSQL: no answer in time") }
        #expect(!store.isWritable())
        try await server.tell("thaw")
        #expect(try await eventually(within: patience) { (try? store.load(room.pin, at: Sample.now)) != nil })
        // What was sent before may have come to be: that is what the error left open.
        #expect(try await eventually(within: patience) { (try? store.commit([room.joined(by: 2)])) != nil })
        #expect(try store.load(room.pin, at: Sample.now)?.members.count == 2)
    }

    @Test("a commit that reached no standby is not acknowledged", arguments: ["pg_cancel_backend", "pg_terminate_backend"])
    func unreplicated(function: String) async throws {
        let server = try await PostgresServer.started()
        let servers = try Servers(1, on: server)
        let store = servers.first
        let pin = try servers.room().pin
        let backend = try servers.committing(of: 0)
        @Sendable func rename() throws -> [CommitOutcome] {
            var room = try Room(try #require(try store.load(pin, at: Sample.now)), catalogue: Sample.catalogue)
            let sequence = room.sequence
            _ = try room.join(Sample.token(1), nickname: Nickname(stored: "\(sequence)"), at: Sample.now)
            return try store.commit([room.change(basedOn: sequence)])
        }
        try server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try server.run("SELECT pg_reload_conf()")
        // Until the server has heard of it, and then for as long as nobody ends the wait.
        let commits = begin { while try rename() == [.stored] {} }
        #expect(try await servers.waits(backend, for: "IPC"))
        let before = try #require(try store.load(pin, at: Sample.now)).sequence
        try server.run("SELECT \(function)(\(backend))")
        await #expect(throws: StoreError.self) { try await commits.value }

        try server.run("ALTER SYSTEM RESET synchronous_standby_names")
        try server.run("SELECT pg_reload_conf()")
        // It is there all the same, which only a look can tell.
        #expect(try await eventually(within: patience) { (try? store.load(pin, at: Sample.now))??.sequence == before + 1 })
        #expect(try await eventually(within: patience) { (try? rename()) == [.stored] })
    }

    @Test("a room that cannot be understood is a failure of its own, and holds up nobody") func unreadable() throws {
        let servers = try Servers(1)
        let (bad, good) = (try servers.room(1), try servers.room(2))
        try servers.schema.run("UPDATE member SET token_hash = '\\x00' WHERE room = 'r_1'")
        for _ in 0..<3 {
            let error = try #require(throws: StoreError.self) { try servers.first.load(bad.pin, at: Sample.now) }
            #expect(error.detail == "database: a token's hash is not 32 bytes long")
            #expect(try servers.first.load(good.pin, at: Sample.now) == RoomRecord(good))
        }
    }

    @Test("nothing of a closed store answers any more") func closed() throws {
        let servers = try Servers()
        let room = try servers.room()
        servers.first.close()
        #expect(throws: StoreError.self) { try servers.first.load(room.pin, at: Sample.now) }
        #expect(throws: StoreError.self) { try servers.first.commit([room.joined(by: 2)]) }
        #expect(!servers.first.isWritable())
        #expect(try servers.second.commit([room.joined(by: 2)]) == [.stored])
    }
}
