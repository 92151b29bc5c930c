import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A database of an older version", .sharesPostgres, .blocks) struct UpgradeTests {
    /// One that was made by the first steps alone.
    private func schema(of version: Int) throws -> PostgresServer.Schema {
        let schema = try PostgresServer.shared().schema()
        let connection = try Connection(try DatabaseURI(schema.uri))
        _ = try connection.prepareSession(within: patience)
        try connection.migrate(by: Array(Migration.all.prefix(version)), within: .patient)
        return schema
    }

    @Test("keeps its answers, and who has opened its rooms") func owners() throws {
        let schema = try schema(of: 2)
        let (now, end) = (Sample.now.milliseconds, Sample.now.advanced(by: 100_000))
        for room in 1...2 {
            try schema.run(
                """
                INSERT INTO pin_claim VALUES ('\(try Sample.pin(room).text)', 'r_\(room)', \(end.milliseconds));
                INSERT INTO room (id, pin, catalogue, created_at, expires_at, opened_by, reveal_by_host, reveal_by_any_member,
                  reveal_by_anyone, reveal_at_deadline, round, sequence, host, last_member, last_submission, written_by)
                VALUES ('r_\(room)', '\(try Sample.pin(room).text)', '\(Sample.catalogue.fingerprint)', \(now), \(end.milliseconds),
                  \(hash(1)), true, false, false, false, 1, 1, 1, 1, 0, 0);
                INSERT INTO member VALUES ('r_\(room)', 1, \(hash(1)), NULL, \(now))
                """)
        }
        // Their owner, key and room, and for how long. Of two under one key, one has expired.
        let old: [(owner: Int, key: String, room: Int?, lifetime: Int64)] = [
            (2, "key", 1, 1000), (3, "key", 1, 1000), (2, "own", nil, 1000), (2, "rooms", 1, -1), (2, "rooms", 2, 1000),
            (2, "room", nil, -1), (2, "room", 1, 1000), (2, "none", nil, 1000), (2, "none", 1, -1),
        ]
        for (number, receipt) in old.enumerated() {
            let values = "\(hash(receipt.owner)), '\(receipt.key)', \(hash(7)), '\\x00ff0\(number)', \(now), \(now + receipt.lifetime)"
            try schema.run(
                receipt.room.map { "INSERT INTO receipt VALUES ('r_\($0)', \(values))" } ?? "INSERT INTO own_receipt VALUES (\(values))")
        }
        let store = try PostgresStore(uri: schema.uri)
        defer { store.close() }
        let live = old.enumerated().filter { $1.lifetime > 0 }.map { number, receipt in
            Receipt(
                key: ReceiptKey(owner: Sample.token(receipt.owner), key: receipt.key), request: Sample.token(7),
                answer: [0, 255, UInt8(number)], keptAt: Sample.now, expiresAt: Sample.now.advanced(by: 1000),
                isOfRoom: receipt.room != nil)
        }
        let found = try store.receipts(live.map(\.key), at: Sample.now)
        #expect(Set(found.values) == Set(live) && live.count == 6)
        #expect(try [1, 2].map { try store.receiptBytes(in: Identifier("r_\($0)")) } == [3, 1].map { $0 * (3 + Receipt.overhead) })
        #expect(try store.receiptBytes(of: Sample.token(2)) == 5 * (3 + Receipt.overhead))
        #expect(try store.roomsExpire(openedBy: Sample.token(1), at: Sample.now) == [end, end])
        let inspection = try PostgresInspection(uri: schema.uri)
        #expect(try inspection.faults() == [])
        #expect(try Set(inspection.receipts(in: Identifier("r_1"))) == Set([live[0], live[1], live[4]]))
        #expect(try Set(inspection.receipts(in: nil)) == Set([live[2], live[5]]))
        // What goes with a room goes with it.
        var room = try Room(try #require(try store.load(try Sample.pin(1), at: Sample.now)), catalogue: Sample.catalogue)
        let sequence = room.sequence
        try room.close(by: Sample.token(1))
        #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
        #expect(try Set(store.receipts(live.map(\.key), at: Sample.now).values) == Set([live[2], live[3], live[5]]))
        #expect(try store.roomsExpire(openedBy: Sample.token(1), at: Sample.now) == [end])
    }

    private func hash(_ token: Int) -> String {
        let digits = Sample.token(token).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "'\\x\(digits.joined())'"
    }
}
