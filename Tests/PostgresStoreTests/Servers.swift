import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

/// For a disk that others keep busy: a commit has been seen to sync for longer than twenty seconds.
let patience = Duration.seconds(120)

/// Stores of one schema, as so many servers have them. They close when nobody holds them any longer.
final class Servers: Sendable {
    let schema: PostgresServer.Schema
    let stores: [PostgresStore]

    var first: PostgresStore { stores[0] }
    var second: PostgresStore { stores[1] }

    init(_ count: Int = 2, on server: PostgresServer? = nil, limits: TimeLimits = .patient) throws {
        let schema = try (try server ?? .shared()).schema()
        self.schema = schema
        stores = try (0..<count).map { try PostgresStore(uri: schema.uri(as: Self.name($0, schema)), limits: limits) }
        try first.keepSample()
    }

    deinit { for store in stores { store.close() } }

    private static func name(_ number: Int, _ schema: PostgresServer.Schema) -> String { "\(schema.name)_\(number)" }

    /// The server's processes for a store's connections.
    func backends(of number: Int) throws -> [String] {
        try schema.server.run("SELECT pid FROM pg_stat_activity WHERE application_name = '\(Self.name(number, schema))'")
    }

    /// The one that tells a store what others change: it belongs to none of the other connections.
    func listening(of number: Int) throws -> String {
        let store = stores[number]
        let others = try [store.commits(Self.pid), store.write(Self.pid), store.read(Self.pid)]
        return try #require(try backends(of: number).first { !others.contains($0) })
    }

    /// The one that a store commits with.
    func committing(of number: Int) throws -> String { try stores[number].commits(Self.pid) }

    private static func pid(_ connection: Connection) throws(StoreError) -> String {
        try connection.run("SELECT pg_backend_pid()::text", within: .seconds(10)).first { $0.text() } ?? ""
    }

    func end(_ backend: String) throws { try schema.server.run("SELECT pg_terminate_backend(\(backend))") }

    /// Waits until a server process waits for what `event` says: `Lock`, `IPC`.
    func waits(_ backend: String, for event: String) async throws -> Bool {
        try await eventually(within: patience) {
            try schema.server.run("SELECT wait_event_type FROM pg_stat_activity WHERE pid = \(backend)") == [event]
        }
    }

    /// A room that is stored.
    func room(_ number: Int = 1) throws -> Room {
        var room = Sample.room("r_\(number)", pin: try Sample.pin(number))
        try first.create(&room)
        return room
    }
}

extension Room {
    /// What it takes for somebody to join it.
    func joined(by token: Int, receipts: [Receipt] = []) throws -> RoomChange {
        var room = self
        _ = try room.join(Sample.token(token), nickname: nil, at: Sample.now)
        return room.change(basedOn: sequence, receipts: receipts)
    }
}

extension TimeLimits {
    /// For a busy machine, and for tests that wait for something else.
    static var patient: TimeLimits {
        var limits = TimeLimits()
        (limits.write, limits.read, limits.hold) = (.seconds(600), .seconds(600), .seconds(600))
        (limits.commitLock, limits.holdLock) = (.seconds(600), .seconds(600))
        return limits
    }
}
