import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("The schema in PostgreSQL", .sharesPostgres, .blocks) struct SchemaTests {
    @Test("is numbered without a gap and says when it was brought in") func recorded() throws {
        #expect(Migration.all.map(\.number) == Array(1...Migration.all.count))
        let servers = try Servers(1)
        let names = try servers.schema.run("SELECT name FROM migration WHERE applied_at > now() - interval '1 hour' ORDER BY number")
        #expect(names == Migration.all.map(\.name))
    }

    @Test("is made once by servers that start at the same time on an empty one") func startedAtOnce() async throws {
        let schema = try PostgresServer.shared().schema()
        let rooms = try await atOnce(0..<4) { number in
            let store = try PostgresStore(uri: schema.uri)
            defer { store.close() }
            try store.belong(toKey: [1, 2, 3])
            try store.keepSample()
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number))
            try store.create(&room)
            return room.id
        }
        #expect(rooms.count == 4)
        #expect(try schema.run("SELECT count(*) FROM room") == ["4"])
        #expect(try schema.run("SELECT count(*) FROM migration") == ["\(Migration.all.count)"])
        #expect(try schema.run("SELECT count(*) FROM token_key") == ["1"])
    }

    @Test("of a newer version is refused and left alone") func newer() throws {
        let schema = try PostgresServer.shared().schema()
        try PostgresStore(uri: schema.uri).close()
        try schema.run("INSERT INTO migration (number, name) VALUES (999, 'from the future'); DROP TABLE trial")
        for _ in 0..<2 {
            let error = try #require(throws: StoreError.self) { try PostgresStore(uri: schema.uri) }
            #expect(error.detail.hasSuffix("the schema is version 999; this program is older and knows \(Migration.all.count)"))
        }
        #expect(try schema.run("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)' AND tablename = 'trial'") == ["0"])
    }

    @Test("of another program is refused and left alone") func foreign() throws {
        let schema = try PostgresServer.shared().schema()
        try schema.run("CREATE TABLE room (x int)")
        let error = try #require(throws: StoreError.self) { try PostgresStore(uri: schema.uri) }
        #expect(error.detail.contains("relation \"room\" already exists"))
        #expect(try schema.run("SELECT tablename FROM pg_tables WHERE schemaname = '\(schema.name)'") == ["room"])
    }

    @Test("stays where it was when a step fails") func failingStep() throws {
        let servers = try Servers(1)
        let next = Migration.all.count + 1
        let steps = [
            Migration(number: next, name: "good", script: "CREATE TABLE good (x int)"),
            Migration(number: next + 1, name: "bad", script: "CREATE TABLE half (x int); INSERT INTO missing VALUES (1)"),
        ]
        #expect(throws: StoreError.self) {
            try servers.first.write { connection throws(StoreError) in try connection.migrate(by: Migration.all + steps, within: .patient) }
        }
        #expect(try servers.first.write { connection throws(StoreError) in try connection.schemaVersion(within: .seconds(60)) } == next)
        #expect(
            try servers.schema.run(
                "SELECT tablename FROM pg_tables WHERE schemaname = '\(servers.schema.name)' AND tablename IN ('good', 'half')") == ["good"]
        )
        #expect(servers.first.isWritable())
    }

    @Test("is what an operator would look for") func readable() throws {
        let servers = try Servers(1)
        var room = try servers.room()
        try servers.first.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
        let row = "SELECT concat_ws(' ', pin, to_timestamp(created_at / 1000) AT TIME ZONE 'UTC', sequence) FROM room"
        #expect(try servers.schema.run(row) == ["100001 2026-09-21 14:13:20 3"])
        #expect(try servers.schema.run("SELECT answers::json #>> '{answers,soup}' FROM submission") == ["like"])
    }

    @Test("begins every key with what its table can be spread over servers by") func keys() throws {
        let servers = try Servers(1)
        // The first column of each primary key and unique index: a distributed table can have no others. Devices are everywhere.
        let firsts = """
            SELECT DISTINCT concat_ws(' ', c.relname, a.attname) FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE i.indisunique AND c.relnamespace = '\(servers.schema.name)'::regnamespace ORDER BY 1
            """
        #expect(
            try servers.schema.run(firsts) == [
                "catalogue fingerprint", "device key", "device platform", "member room", "migration number", "opening owner",
                "pin_claim pin", "push_message room_id", "push_notice room_id", "receipt owner", "removed room", "result room", "room id",
                "room_receipt room", "submission room", "token_key is_only",
            ])
        // Nothing counts for all rooms, and no room refers to anything but its own.
        #expect(try servers.schema.run("SELECT count(*) FROM pg_sequences WHERE schemaname = '\(servers.schema.name)'") == ["0"])
        let references = """
            SELECT DISTINCT concat_ws(' ', f.relname, t.relname) FROM pg_constraint JOIN pg_class f ON f.oid = conrelid
            JOIN pg_class t ON t.oid = confrelid
            WHERE contype = 'f' AND connamespace = '\(servers.schema.name)'::regnamespace ORDER BY 1
            """
        #expect(
            try servers.schema.run(references) == [
                "member room", "push_message push_notice", "removed room", "result room", "room_receipt room", "submission member",
            ])
    }

    @Test("is empty when the rooms have gone") func empty() throws {
        let servers = try Servers(1)
        for number in 0..<20 {
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
            for token in 1...20 { _ = try room.submit(try Sample.sheet(), by: Sample.token(token), at: Sample.now) }
            try servers.first.create(&room)
            try servers.first.check(&room) { room in
                try room.leave(Sample.token(3))
                try room.withdraw(Sample.token(4))
                try room.remove(MemberID(number: 5), by: Sample.token(1))
                try room.showResult(at: Sample.now)
            }
        }
        #expect(try servers.first.deleteExpired(at: Sample.now.advanced(by: 1000), limit: 100).count == 20)
        for table in ["room", "member", "removed", "submission", "result", "receipt", "room_receipt", "opening", "pin_claim"] {
            #expect(try servers.schema.run("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
    }
}
