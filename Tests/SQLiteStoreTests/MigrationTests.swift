import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("The schema") struct MigrationTests {
    @Test("is numbered without a gap and says when it was brought in") func recorded() throws {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
        try withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory + "/rooms.db")
            let names = try store.write { connection throws(StoreError) in
                try connection.all("SELECT name FROM migration WHERE applied_at LIKE '20__-__-__T%Z' ORDER BY number") { $0.text() }
            }
            #expect(names == Migration.all.map(\.name))
        }
    }

    @Test("stays where it was when a step fails") func failingStep() throws {
        try withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory + "/rooms.db")
            let next = Migration.all.count + 1
            let steps = [
                Migration(number: next, name: "good", script: "CREATE TABLE good (x INTEGER) STRICT"),
                Migration(number: next + 1, name: "bad", script: "CREATE TABLE half (x INTEGER) STRICT; INSERT INTO missing VALUES (1)"),
            ]
            #expect(throws: StoreError.self) {
                try store.write { connection throws(StoreError) in try connection.migrate(by: Migration.all + steps) }
            }
            #expect(try store.write { connection throws(StoreError) in try connection.schemaVersion() } == next)
            let tables = try store.write { connection throws(StoreError) in
                try connection.all("SELECT name FROM sqlite_schema WHERE name IN ('good', 'half')") { $0.text() }
            }
            #expect(tables == ["good"])
            #expect(store.isWritable())
        }
    }

    @Test("is what an operator would look for") func readable() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            let store = try SQLiteStore(path: path)
            try store.keep(catalogue: [], fingerprint: Sample.catalogue.fingerprint)
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
            try store.create(&room)
            // As from a shell beside the running server.
            let other = try Connection(path: path, busyTimeout: 0)
            let row = try other.first("SELECT pin, datetime(created_at / 1000, 'unixepoch'), sequence FROM room") {
                "\($0.text()) \($0.text()) \($0.integer())"
            }
            #expect(row == "100001 2026-09-21 14:13:20 3")
            #expect(try other.first("SELECT answers ->> '$.answers.soup' FROM submission") { $0.text() } == "like")
            #expect(try other.first("PRAGMA application_id") { $0.integer() } == 0x4841_4E53)
        }
    }
}
