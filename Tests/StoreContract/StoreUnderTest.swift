import PostgresStore
import SQLiteStore
import TestSupport
import Testing
import UseCases

/// A kind of store that is put through the contract, and how to get an empty one.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Calls its argument with a store of its own and clears up.
    let run: @Sendable (_ body: (any RoomStore) throws -> Void) throws -> Void

    static let all = [sqlite, postgres, shards]

    static let sqlite = StoreUnderTest(testDescription: "SQLite") { body in
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("rooms.db"))
        try store.keepSample()
        try body(store)
    }

    static let postgres = StoreUnderTest(testDescription: "PostgreSQL") { body in
        let schema = try PostgresServer.shared().schema()
        let store = try PostgresStore(uri: schema.uri)
        defer { store.close() }
        try store.keepSample()
        try body(store)
    }

    /// Spread over parts. Each of its statements has to be one that a cluster sends to one server.
    static let shards = StoreUnderTest(testDescription: "PostgreSQL in parts") { body in
        let schema = try PostgresServer.explaining().schema()
        try PostgresStore(uri: schema.uri).close()
        let shards = try Shards(schema)
        do {
            let store = try PostgresStore(uri: schema.uri)
            defer { store.close() }
            try store.keepSample()
            try body(store)
        }
        for fault in try shards.faults() { Issue.record("\(fault)") }
    }
}
