import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("Tables spread over parts", .explainsPostgres, .blocks) struct ShardsTests {
    @Test("are all that there are, each named once, and go where their keys begin") func layout() throws {
        let servers = try Servers(1, on: .explaining())
        let tables = try servers.schema.run("SELECT tablename FROM pg_tables WHERE schemaname = '\(servers.schema.name)' ORDER BY 1")
        #expect(try Shards.layout.map(\.table).sorted() == tables)
        _ = try Shards(servers.schema)
        let rule = "concat_ws(' ', relname, pg_get_partkeydef(oid)), pg_get_partkeydef(oid)"
        let firsts = """
            SELECT DISTINCT concat_ws(' ', c.relname, 'HASH (' || a.attname || ')') FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE i.indisunique AND c.relkind = 'p' AND c.relnamespace = '\(servers.schema.name)'::regnamespace ORDER BY 1
            """
        let keys = "SELECT \(rule) FROM pg_class WHERE relkind = 'p' AND relnamespace = '\(servers.schema.name)'::regnamespace ORDER BY 1"
        #expect(try servers.schema.run(keys) == servers.schema.run(firsts))
        // A store that starts finds all as it was.
        try PostgresStore(uri: servers.schema.uri).close()
    }

    @Test("show what a cluster would refuse") func faults() throws {
        let servers = try Servers(1, on: .explaining())
        let shards = try Shards(servers.schema)
        let refused: [(statement: SQL, why: String)] = [
            ("UPDATE room SET leased_until = 1 WHERE due_at < 5", "goes to"), ("SELECT id FROM room FOR UPDATE", "goes to"),
            ("SELECT id FROM room WHERE id = ANY(\(["r_1", "r_2", "r_3", "r_4", "r_5"]))", "goes to"),
            // What is in one part with a room is not with the PIN of that name.
            ("SELECT room.id FROM room, pin_claim WHERE room.id = \("1") AND pin_claim.pin = \("1")", "goes to"),
            ("\(SQL(stringLiteral: StatementPlan.mark)) SELECT id FROM room FOR UPDATE", "changes or locks"),
            ("INSERT INTO pin_claim SELECT pin, id, expires_at FROM room WHERE id = \("r_1")", "puts into"),
            ("INSERT INTO pin_claim SELECT number::text, '', 0 FROM generate_series(1, 2) AS number", "puts into"),
            ("DELETE FROM catalogue WHERE NOT EXISTS (SELECT FROM room WHERE id = \("r_1"))", "changes"),
        ]
        for (statement, why) in refused {
            _ = try servers.first.write { connection throws(StoreError) in try connection.write([statement], within: .seconds(60)).count }
            #expect(try shards.faults().contains { $0.contains(why) && $0.hasSuffix(statement.text) }, "\(statement.text)")
        }
        let fine: [SQL] = ["SELECT id FROM room WHERE id = \("r_1") FOR UPDATE", "SELECT 1", AllShards.pinsOfRooms]
        for statement in fine {
            _ = try servers.first.read { connection throws(StoreError) in try connection.run(statement, within: .seconds(60)).count }
        }
        #expect(try shards.faults().count == Set(refused.map(\.statement.text)).count)
    }

    @Test("are asked for one at a time by all that no other test of a store does") func rest() async throws {
        var limits = TimeLimits.patient
        limits.commitLock = .milliseconds(100)
        let servers = try Servers(on: .explaining(), limits: limits)
        let shards = try Shards(servers.schema)
        let store = servers.first
        let rooms = try (1...8).map { try servers.room($0) }
        // Rooms that others hold; PINs and keys that others have.
        try servers.second.hold(rooms.prefix(4).map(\.id))
        #expect(try store.commit(try rooms.map { try $0.joined(by: 2) }).count { $0 == .conflict } == 4)
        servers.second.release()
        let receipts = (1...8).map { number in
            Receipt(
                key: ReceiptKey(owner: Sample.token(number), key: "key"), request: Sample.token(7), answer: [1], keptAt: Sample.now,
                expiresAt: Sample.now.advanced(by: 1000), isOfRoom: false)
        }
        for receipt in receipts { #expect(try store.keep(receipt)) }
        let openings = try (1...16).map { number in
            var room = Sample.room("r_1\(number)", pin: try Sample.pin(number <= 8 ? number : 100 + number))
            return room.change(basedOn: nil, receipts: number <= 8 ? [] : [receipts[number - 9]])
        }
        #expect(try store.commit(openings) == (1...16).map { $0 <= 8 ? .pinTaken : .conflict })
        #expect(try store.receipts(receipts.map(\.key), at: Sample.now).count == 8)
        // Catalogues that nobody plays with any more, and who asks how things are.
        for name in ["one", "other"] { try store.keep(catalogue: [1], fingerprint: name) }
        try servers.schema.run("UPDATE catalogue SET kept_at = now() - interval '8 days' WHERE fingerprint = 'one'")
        try store.keep(catalogue: [1], fingerprint: "other")
        #expect(try store.catalogue("one") == nil)
        #expect(try store.figures(at: Sample.now).rooms == 8)
        try store.beginCopy()
        try store.endCopy(toKey: [1])
        try store.belong(toKey: [1])
        let inspection = try PostgresInspection(uri: servers.schema.uri)
        #expect(try inspection.faults().isEmpty && inspection.pins().count == 8 && inspection.devices().isEmpty)
        #expect(try inspection.receipts(in: nil).count == 8 && inspection.receipts(in: rooms[0].id).isEmpty)
        #expect(try inspection.room(rooms[0].pin)?.id == rooms[0].id)
        #expect(try shards.faults() == [])
    }
}
