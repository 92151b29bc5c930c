import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A look at all of a database", .sharesPostgres, .blocks) struct InspectionTests {
    @Test("finds a room without its PIN, and takes a PIN that a room has left behind for no fault") func claims() throws {
        let servers = try Servers(1)
        let first = try servers.room(1)
        _ = try servers.room(2)
        #expect(try PostgresInspection(uri: servers.schema.uri).faults().isEmpty)
        try servers.schema.run("DELETE FROM room WHERE id = 'r_2'; DELETE FROM opening WHERE room = 'r_2'")
        let inspection = try PostgresInspection(uri: servers.schema.uri)
        #expect(try inspection.faults().isEmpty)
        #expect(try inspection.pins() == [first.pin])
        try servers.schema.run("DELETE FROM pin_claim WHERE room = 'r_1'")
        #expect(try PostgresInspection(uri: servers.schema.uri).faults() == ["room r_1 does not have its PIN"])
    }

    @Test("finds each table and index that is gone, and the row by which writing is tried") func missing() throws {
        let servers = try Servers(1)
        let there = try servers.schema.run(
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i') ORDER BY relname")
        #expect(Set(there) == Set(Migration.relations))
        #expect(there.count == Migration.relations.count)
        func faults() throws -> [String] { try PostgresInspection(uri: servers.schema.uri).faults() }
        #expect(try faults() == [])
        try servers.schema.run("DELETE FROM trial")
        #expect(try faults() == ["the table trial does not have its one row"])
        try servers.schema.run("INSERT INTO trial VALUES (0); DROP INDEX room_by_due; DROP TABLE push_message")
        #expect(
            try faults()
                == ["push_message", "push_message_by_due", "push_message_pkey", "room_by_due"].map {
                    "the table or index \($0) is missing"
                })
    }

    @Test("finds what is kept by owner and is not what the rooms say") func owned() throws {
        let servers = try Servers(1)
        for number in 1...6 {
            // Long enough for the database's own clock, whatever that shows.
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1 << 50)
            let receipt = Receipt(
                key: ReceiptKey(owner: Sample.token(2), key: "key \(number)"), request: Sample.token(7), answer: [1], keptAt: Sample.now,
                expiresAt: room.expiresAt, isOfRoom: true)
            #expect(try servers.first.commit([room.change(basedOn: nil, receipts: [receipt])]) == [.stored])
        }
        func faults() throws -> [String] { try PostgresInspection(uri: servers.schema.uri).faults() }
        #expect(try faults() == [])
        try servers.schema.run(
            """
            DELETE FROM opening WHERE room = 'r_1'; DELETE FROM room_receipt WHERE room = 'r_3'; DELETE FROM receipt WHERE room = 'r_4';
            UPDATE opening SET owner = '\\x00' || substr(owner, 2) WHERE room = 'r_5'; DELETE FROM room WHERE id = 'r_2'
            """)
        let (isOpeners, isNoMore) = ("is not among the openings of its opener", "is among the openings of somebody who has not opened it")
        #expect(
            try faults() == [
                "room r_1 \(isOpeners)", "room r_5 \(isOpeners)", "room r_2 \(isNoMore)", "room r_5 \(isNoMore)",
                "room r_2 does not know of an answer that goes with it", "room r_3 does not know of an answer that goes with it",
                "room r_4 knows of an answer that is not there",
            ])
        // What has expired is nobody's business.
        try servers.schema.run("UPDATE room SET expires_at = 0; UPDATE opening SET expires_at = 0")
        try servers.schema.run("UPDATE receipt SET expires_at = 0; UPDATE room_receipt SET expires_at = 0")
        #expect(try faults() == [])
    }
}
