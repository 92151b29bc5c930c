import CSQLite
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("A look at all of a SQLite database") struct InspectionTests {
    /// What it finds after `statement`.
    private func faults(after statement: String) throws -> [String] {
        try withTemporaryDirectory { directory in
            let path = directory + "/rooms.db"
            let store = try SQLiteStore(path: path)
            try store.keepSample()
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            store.close()
            let connection = try Connection(path: path, busyTimeout: 0)
            try connection.run(script: statement)
            return try SQLiteInspection(path: path).faults()
        }
    }

    @Test(
        "finds each table and index that is gone, and the row by which writing is tried",
        arguments: [
            ("SELECT 1", []), ("DELETE FROM trial", ["the table trial does not have its one row"]),
            ("INSERT INTO trial VALUES (1)", ["the table trial does not have its one row"]),
            (
                "DROP INDEX room_by_expiry; DROP INDEX room_by_due",
                ["the index room_by_expiry is missing", "the index room_by_due is missing"]
            ),
            (
                "DROP TABLE push_message",
                [
                    "the table push_message is missing", "the index push_message_by_device is missing",
                    "the index push_message_by_due is missing",
                ]
            ),
            ("DROP TABLE trial", ["the table trial is missing"]),
            // What somebody has added for themself is nobody's business.
            ("CREATE INDEX room_by_pin ON room (pin, created_at)", []),
        ])
    func missing(_ statement: String, _ expected: [String]) throws { #expect(try faults(after: statement) == expected) }

    @Test("finds each table that is gone", arguments: ["room", "member", "receipt", "token_key", "catalogue"])
    func tables(_ name: String) throws {
        #expect(try faults(after: "PRAGMA foreign_keys = OFF; DROP TABLE \(name)").contains("the table \(name) is missing"))
    }
}
