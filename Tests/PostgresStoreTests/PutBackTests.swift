import Foundation
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A database that was put back", .sharesPostgres) struct PutBackTests {
    /// What the operator's manual has run then.
    private static var statement: String {
        get throws {
            let manual = try String(contentsOf: projectFolder.appendingPathComponent("docker/README.md"), encoding: .utf8)
            let blocks = manual.components(separatedBy: "```sql\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
            return try #require(blocks.first { $0.contains("UPDATE room SET") })
        }
    }

    @Test("goes on with numbers that nobody has seen, also when it is put back once more") func numbers() throws {
        let servers = try Servers()
        var rooms = try (1...3).map { try servers.room($0) }
        try servers.first.check(&rooms[1]) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
        let stored = try rooms.map { try #require(try servers.first.load($0.pin, at: Sample.now)) }
        var least = Int(Date().timeIntervalSince1970 * 1000) - 60_000
        for _ in 0..<2 {
            try servers.schema.run(try Self.statement)
            for (room, before) in zip(rooms, stored) {
                var after = try #require(try servers.second.load(room.pin, at: Sample.now))
                for number in [after.sequence, after.submissionCounter, after.memberCounter] {
                    #expect(number > least && number < 1 << 53)
                }
                (after.sequence, after.submissionCounter, after.memberCounter) =
                    (before.sequence, before.submissionCounter, before.memberCounter)
                #expect(after == before)
            }
            least = try #require(try servers.first.load(rooms[0].pin, at: Sample.now)).sequence
        }
    }

    @Test("is not changed by who knows what it has lost, though it has come as far again", arguments: [false, true])
    func lost(withAnswer: Bool) throws {
        let servers = try Servers()
        let room = try servers.room()
        func join(_ token: Int) throws -> (room: Room, version: RoomVersion) {
            #expect(try servers.first.commit([try room.joined(by: token)]) == [.stored])
            let stored = try #require(try servers.first.load([room.pin], at: Sample.now)[room.pin])
            let version = RoomVersion(sequence: stored.record.sequence, mark: stored.mark)
            #expect(try servers.second.versions(of: [room.id]) == [room.id: version])
            return (try Room(stored.record, catalogue: Sample.catalogue), version)
        }
        let lost = try join(2)
        try servers.schema.run("DELETE FROM member WHERE number = 2; UPDATE room SET sequence = \(room.sequence), last_member = 1")
        let stored = try join(3)
        #expect(stored.version.sequence == lost.version.sequence && stored.version != lost.version)
        for (known, outcome) in [(lost, CommitOutcome.conflict), (stored, .stored)] {
            var next = known.room
            _ = try next.join(Sample.token(4), nickname: nil, at: Sample.now)
            let receipt = Receipt(
                key: ReceiptKey(owner: Sample.token(4), key: "key"), request: Sample.token(7), answer: [1], keptAt: Sample.now,
                expiresAt: Sample.now.advanced(by: 1000), isOfRoom: true)
            let events = next.takeEvents()
            let change = RoomChange(
                PublishedRoom(next, mark: 9), basedOn: known.version, events: events, receipts: withAnswer ? [receipt] : [])
            #expect(try servers.first.commit([change]) == [outcome])
        }
        #expect(try servers.first.load(room.pin, at: Sample.now)?.members.map(\.token) == [1, 3, 4].map(Sample.token))
        #expect(try servers.first.versions(of: [room.id])[room.id]?.mark == 9)
    }

    @Test("is one that rooms are played in") func played() throws {
        let servers = try Servers(1)
        let pin = try servers.room().pin
        try servers.schema.run(try Self.statement)
        let record = try #require(try servers.first.load(pin, at: Sample.now))
        var room = try Room(record, catalogue: Sample.catalogue)
        try servers.first.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
        #expect(room.members.last?.id.number == record.memberCounter + 1)
        #expect(room.members.last?.submission?.revision == record.submissionCounter + 1)
        try servers.first.check(&room) { try $0.showResult(at: Sample.now) }
    }
}
