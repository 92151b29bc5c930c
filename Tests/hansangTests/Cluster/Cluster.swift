import TestSupport

@testable import hansang

/// Several servers at one PostgreSQL database, each as if on a machine of its own.
final class Cluster: Sendable {
    let schema: PostgresServer.Schema
    let nodes: [LiveServer]
    /// Where the key is that all of them have.
    let folder: TemporaryFolder

    init(_ count: Int = 2, clock: TestClock? = nil) throws {
        let schema = try PostgresServer.shared().schema()
        let folder = try TemporaryFolder()
        self.schema = schema
        self.folder = folder
        nodes = try (0..<count).map { _ in try Self.node(at: schema, in: folder, clock: clock) }
    }

    static func node(at schema: PostgresServer.Schema, in folder: TemporaryFolder, clock: TestClock? = nil) throws -> LiveServer {
        try LiveServer(in: folder, clock: clock) { configuration in
            configuration.store = .postgres(uri: schema.uri)
            configuration.tokenKeyPath = folder.path("token.key")
            configuration.roomsPerHour = 1_000_000
            configuration.roomsPerToken = 1_000_000
        }
    }
}
