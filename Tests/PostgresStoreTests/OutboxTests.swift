import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("Messages that several servers take", .sharesPostgres, .timeLimit(.minutes(5))) struct OutboxTests {
    private func tell(_ store: PostgresStore, _ room: inout Room, _ stage: PushStage, by member: Int) throws {
        let sequence = room.sequence
        _ = try room.submit(try Sample.sheet(), by: Sample.token(member), at: Sample.now)
        let notice = PushNotice(
            room: room.id, sequence: room.sequence, stage: stage, phase: .open, memberCount: 2, submissionCount: 1, at: Sample.now,
            expiresAt: Sample.now.advanced(by: 3_600_000))
        #expect(
            try store.commit([RoomChange(room: room, basedOn: sequence, events: room.takeEvents(), notice: notice)]) == [.stored])
    }

    /// Has the update of a room's messages wait for a lock that somebody holds.
    private func pause(_ servers: Servers, at room: Identifier, lock: Int64) throws {
        try servers.schema.run(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN IF NEW.room_id = '\(room)' THEN PERFORM pg_advisory_xact_lock(\(lock)); END IF; RETURN NEW; END $$;
            CREATE TRIGGER pause BEFORE UPDATE ON push_message FOR EACH ROW EXECUTE FUNCTION pause();
            """)
    }

    @Test("are not lost where another puts a newer stage in their place at that moment") func newer() async throws {
        let servers = try Servers(3)
        var (earlier, later) = (try servers.room(1), try servers.room(2))
        try servers.first.apply([
            .register(
                PushDevice(
                    owner: Sample.token(1), platform: .apns, pushToken: "phone", language: .ko, room: nil, at: Sample.now,
                    expiresAt: Sample.now.advanced(by: 86_400_000)))
        ])
        func lookUp(at instant: Int64) throws {
            // By the other service, so that nothing is taken.
            let now = Sample.now.advanced(by: instant)
            #expect(try servers.first.lease(.fcm, at: now, until: now, limit: 1).messages.isEmpty)
        }
        try tell(servers.first, &earlier, .revealed, by: 1)
        try lookUp(at: 0)
        try tell(servers.first, &later, .revealed, by: 1)
        try lookUp(at: 1)

        // The second comes to the earlier room's message and has to wait; it has not come to the other's yet, but knows what was there
        // when it began. Meanwhile that has reached its next stage.
        let lock = Int64.random(in: 1...Int64.max)
        try pause(servers, at: earlier.id, lock: lock)
        try servers.stores[2].write { connection throws(StoreError) in
            _ = try connection.run("SELECT pg_advisory_lock(\(lock))", within: limits)
        }
        let taking = try servers.second.write { connection throws(StoreError) in
            // One message after the other, as they are due.
            for setting in ["enable_hashjoin", "enable_mergejoin", "enable_material", "enable_seqscan", "enable_bitmapscan"] {
                try connection.run("SELECT set_config(\(setting), 'off', false)", within: limits)
            }
            return try connection.run("SELECT pg_backend_pid()::text", within: limits).first { $0.text() } ?? ""
        }
        async let taken = onOwnThread {
            try servers.second.lease(.apns, at: Sample.now.advanced(by: 30), until: Sample.now.advanced(by: 60_000), limit: 10).messages
        }
        #expect(try await servers.waits(taking, for: "Lock"))
        try tell(servers.first, &later, .decided, by: 2)
        try lookUp(at: 20)
        try servers.stores[2].write { connection throws(StoreError) in
            _ = try connection.run("SELECT pg_advisory_unlock(\(lock))", within: limits)
        }
        #expect(try await taken.map(\.notice.room) == [earlier.id])
        let next = try servers.first.lease(.apns, at: Sample.now.advanced(by: 30), until: Sample.now.advanced(by: 60_000), limit: 10)
        #expect(next.messages.map(\.notice.room) == [later.id])
        #expect(next.messages.map(\.notice.stage) == [.decided])
    }

    private let limits = Duration.seconds(120)
}
