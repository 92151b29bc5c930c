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

    /// Has whoever works for `role` wait, before it looks at any message, for a lock that somebody holds: what it asks is as of a moment
    /// before that.
    private func pause(_ servers: Servers, role: String, lock: Int64) throws {
        try servers.schema.run(
            """
            CREATE ROLE \(role);
            GRANT USAGE ON SCHEMA \(servers.schema.name) TO \(role);
            GRANT ALL ON ALL TABLES IN SCHEMA \(servers.schema.name) TO \(role);
            CREATE FUNCTION pause() RETURNS boolean LANGUAGE plpgsql AS
              $$ BEGIN PERFORM pg_advisory_xact_lock(\(lock)); RETURN true; END $$;
            ALTER TABLE push_message ENABLE ROW LEVEL SECURITY;
            CREATE POLICY pause ON push_message TO \(role) USING (pause());
            """)
    }

    @Test("are not lost where another puts a newer stage in their place at that moment") func newer() async throws {
        let servers = try Servers(3)
        var room = try servers.room()
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
        @Sendable func take(_ store: PostgresStore) throws -> [PushMessage] {
            try store.lease(.apns, at: Sample.now.advanced(by: 30), until: Sample.now.advanced(by: 60_000), limit: 10).messages
        }
        try tell(servers.first, &room, .revealed, by: 1)
        try lookUp(at: 0)

        // The second is about to take the message as it was when it began to. Meanwhile the room has reached its next stage.
        let (role, lock) = ("\(servers.schema.name)_paused", Int64.random(in: 1...Int64.max))
        try pause(servers, role: role, lock: lock)
        try servers.stores[2].write { connection throws(StoreError) in
            _ = try connection.run("SELECT pg_advisory_lock(\(lock))", within: limits)
        }
        let taking = try servers.second.write { connection throws(StoreError) in
            try connection.run("SELECT set_config('role', \(role), false)", within: limits)
            return try connection.run("SELECT pg_backend_pid()::text", within: limits).first { $0.text() } ?? ""
        }
        async let taken = onOwnThread { try take(servers.second) }
        #expect(try await servers.waits(taking, for: "Lock"))
        try tell(servers.first, &room, .decided, by: 2)
        try lookUp(at: 20)
        try servers.stores[2].write { connection throws(StoreError) in
            _ = try connection.run("SELECT pg_advisory_unlock(\(lock))", within: limits)
        }
        let stages = try await taken.map(\.notice.stage) + take(servers.first).map(\.notice.stage)
        #expect(stages == [.decided])
    }

    @Test("warn a host once, though two have found the room and somebody submits between them") func warnedOnce() throws {
        let servers = try Servers(2)
        var room = try servers.room()
        try tell(servers.first, &room, .allSubmitted, by: 1)
        func warn(_ store: PostgresStore) throws -> [String] {
            try store.write { connection throws(StoreError) in
                try connection.warn([room.id], at: Sample.now, within: TimeLimits.patient)
                return try connection.run("SELECT stage || ' ' || sequence FROM push_notice", within: limits).all { $0.text() }
            }
        }
        let warned = try warn(servers.first)
        #expect(warned == ["expiring \(room.sequence)"])
        let sequence = room.sequence
        _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
        #expect(try servers.first.commit([RoomChange(room: room, basedOn: sequence, events: room.takeEvents())]) == [.stored])
        #expect(try warn(servers.second) == warned)
    }

    private let limits = Duration.seconds(120)
}
