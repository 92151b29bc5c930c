import Synchronization
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("When another server takes writes") struct PrimaryTests {
    /// Connects to one server under the name of the one that there is just now.
    private final class Network: Sendable {
        let primary = Primary()
        private let name = Mutex("db-1")

        func promote(_ server: String) { name.withLock { $0 = server } }

        func open() throws(StoreError) -> Connection {
            guard let server = try? PostgresServer.shared() else { throw StoreError("no server") }
            let connection = try Connection(try DatabaseURI(server.uri))
            _ = try connection.prepareSession(within: .seconds(60))
            connection.server = name.withLock { $0 }
            primary.follow(connection)
            return connection
        }

        func keeper(_ name: String) throws -> Keeper {
            try Keeper(name, retry: .milliseconds(10)...(.milliseconds(50))) { () throws(StoreError) in try self.open() }
        }
    }

    @Test("all connections follow the first that has found it") func follows() async throws {
        let network = Network()
        let (writer, reader, idle) = (try network.keeper("writer"), try network.keeper("reader"), try network.keeper("idle"))
        defer { for keeper in [writer, reader, idle] { keeper.close() } }
        network.promote("db-2")
        // Nobody has found out yet.
        for keeper in [writer, reader, idle] { #expect(try keeper.use { $0.server } == "db-1") }
        try writer.use { _ = $0.abandon() }
        #expect(try await eventually { (try? writer.use { $0.server }) == "db-2" })
        let error = try #require(throws: StoreError.self) { try reader.use { $0.server } }
        #expect(error.detail == "PostgreSQL: another server takes writes now")
        #expect(try await eventually { (try? reader.use { $0.server }) == "db-2" })
        idle.inspect()
        #expect(try await eventually { (try? idle.use { $0.server }) == "db-2" })
    }

    @Test("whoever waits for the one before is let go") func letGo() async throws {
        let network = Network()
        let writer = try network.keeper("writer")
        defer { writer.close() }
        let server = try PostgresServer.shared()
        let backend = try writer.use { connection throws(StoreError) in
            try connection.run("SELECT pg_backend_pid()::text", within: .seconds(60)).first { $0.text() } ?? ""
        }
        defer { _ = try? server.run("SELECT pg_terminate_backend(\(backend))") }
        let commit = begin {
            try writer.use { connection throws(StoreError) in
                try connection.run("SELECT pg_sleep(3600)::text", within: .seconds(3600)).count
            }
        }
        #expect(
            try await eventually(within: patience) {
                try server.run("SELECT wait_event FROM pg_stat_activity WHERE pid = \(backend)") == ["PgSleep"]
            })
        network.promote("db-2")
        _ = try network.open()
        let error = await #expect(throws: StoreError.self) { try await commit.value }
        #expect(error?.detail == "PostgreSQL: another server takes writes now")
        #expect(try await eventually { (try? writer.use { $0.server }) == "db-2" })
    }

    @Test("a new connection goes there at once, and past a host that hangs") func straight() throws {
        // Takes connections and says nothing.
        let hanging = try SilentPort()
        let uri = try DatabaseURI(
            try PostgresServer.shared().uri.replacing("@", with: "@127.0.0.1:\(hanging.port),") + "?connect_timeout=2")
        func open(_ primary: Primary) throws -> Connection {
            let connection = try Connection(uri, behind: primary)
            _ = try connection.prepareSession(within: .seconds(60))
            primary.follow(connection)
            return connection
        }
        let primary = Primary()
        let first = try open(primary)
        #expect(hanging.accepted() > 0)
        let second = try open(primary)
        #expect(hanging.accepted() == 0 && second.server == first.server)
        // It may have hung since: all hosts are tried again.
        first.abandon()
        #expect(primary.host == nil)
        _ = try open(primary)
        #expect(hanging.accepted() > 0)
    }

    @Test("a listener connects again with its next beat") func listens() async throws {
        let network = Network()
        var limits = TimeLimits.patient
        limits.heartbeat = .seconds(2)
        let listener = try Listener(limits: limits) { () throws(StoreError) in
            let connection = try network.open()
            try connection.run(script: "LISTEN primary_tests", within: .seconds(60))
            return connection
        } lookAround: {
        }
        defer { listener.close() }
        let silences = Mutex(0)
        let heard = Mutex(0)
        listener.listen { news in
            switch news {
            case .silent: silences.withLock { $0 += 1 }
            case .resumed: heard.withLock { $0 += 1 }
            case .announcement: break
            }
        }
        network.promote("db-2")
        _ = try network.open()
        #expect(try await eventually { heard.withLock { $0 } == 1 })
        #expect(silences.withLock { $0 } == 1)
    }

    @Test("a server is known by the way it was started, whichever way leads to it") func named() throws {
        let uri = try PostgresServer.shared().uri
        let connections = try [uri, uri.replacing("127.0.0.1", with: "localhost")].map { uri in
            let connection = try Connection(try DatabaseURI(uri))
            _ = try connection.prepareSession(within: .seconds(60))
            return connection
        }
        #expect(connections[0].server == connections[1].server && !connections[0].server.isEmpty)
    }
}
