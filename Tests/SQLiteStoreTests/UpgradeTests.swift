import Foundation
import GameJSON
import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

/// Databases as earlier versions left them, kept as files that are never changed: with each, a room that was revealed, whose reveal has a
/// receipt; one with a deadline to come; and one whose deadline nobody has answered before.
@Suite("A database of an earlier version") struct UpgradeTests {
    static let versions = Array(1..<(Migration.all.last?.number ?? 1))

    /// When they were made.
    private let then = Instant(milliseconds: 1_796_086_400_000)

    private func store<Value>(of version: Int, _ body: (SQLiteStore) throws -> Value) throws -> Value {
        try withTemporaryDirectory { directory in
            let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/schema-\(version).sqlite")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: directory + "/rooms.db")
            return try body(try SQLiteStore(path: directory + "/rooms.db"))
        }
    }

    @Test("is brought up to date with all that is in it", arguments: versions) func upgrade(version: Int) throws {
        try store(of: version) { store throws in
            let schema = try store.read { connection throws(StoreError) in try connection.schemaVersion() }
            #expect(schema == Migration.all.last?.number)
            let pins = try store.read { connection throws(StoreError) in
                try connection.all("SELECT pin FROM room") { row throws(StoreError) in try row.pin() }
            }
            #expect(pins.count == 3)
            for pin in pins {
                let record = try #require(try store.load(pin, at: then))
                let bytes = try #require(try store.catalogue(record.catalogue))
                let catalogue = try Catalogue(json: JSONValue(parsing: bytes), fingerprint: record.catalogue, for: .play)
                let room = try Room(record, catalogue: catalogue)
                #expect(RoomRecord(room) == record)
                for result in room.results { #expect(try room.derivedAgain(result) == result.outcome) }
            }
            #expect(
                try store.write { connection throws(StoreError) in try connection.first("SELECT count(*) FROM receipt") { $0.integer() } }
                    == 1)
        }
    }

    @Test("has the rooms with a deadline to come seen to, and no other", arguments: versions) func due(version: Int) throws {
        try store(of: version) { store throws in
            let deadline = Instant(milliseconds: 1_796_158_368_000)
            #expect(try store.lease(dueAt: deadline.advanced(by: -1), until: deadline, limit: 10) == [])
            #expect(try store.lease(dueAt: deadline, until: deadline.advanced(by: 1), limit: 10).map(\.text) == ["501402"])
        }
    }
}
