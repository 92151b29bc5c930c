extension Migration {
    /// Phones that want to be told, and what they are to be told.
    static let push = Migration(
        number: 2, name: "push",
        script: """
            -- Where devices want to be told. A key is drawn at random, so that it is never given out again, for messages go by it. room_id is
            -- set for a live activity; it outlives its room, so that its end can be told. Where rooms are spread over many servers, each has
            -- this table (Citus: `create_reference_table`).
            CREATE TABLE device (
              key bigint PRIMARY KEY,
              owner bytea NOT NULL,
              platform text COLLATE "C" NOT NULL,
              push_token text COLLATE "C" NOT NULL,
              language text NOT NULL,
              room_id text COLLATE "C",
              registered_at bigint NOT NULL,
              expires_at bigint NOT NULL,
              UNIQUE (platform, push_token)
            );
            CREATE INDEX device_by_owner ON device (owner, registered_at);
            CREATE INDEX device_by_room ON device (room_id, key) WHERE room_id IS NOT NULL;
            CREATE INDEX device_by_expiry ON device (expires_at);

            -- The newest stage of each room that is worth telling; position is the higher, the newer. looked_up is the last device that has a
            -- message of it; NULL when all have.
            CREATE TABLE push_notice (
              room_id text COLLATE "C" PRIMARY KEY,
              position bigint NOT NULL,
              sequence bigint NOT NULL,
              stage text COLLATE "C" NOT NULL,
              phase text NOT NULL,
              members bigint NOT NULL,
              submissions bigint NOT NULL,
              at bigint NOT NULL,
              expires_at bigint NOT NULL,
              looked_up bigint
            );
            CREATE INDEX push_notice_to_look_up ON push_notice (at) WHERE looked_up IS NOT NULL;
            CREATE INDEX push_notice_by_expiry ON push_notice (expires_at);

            -- One device to be told of one room. leased is the position that somebody is sending, due_at then the end of that lease. Those of
            -- a device that is gone are cleared away when they are due.
            CREATE TABLE push_message (
              room_id text COLLATE "C" NOT NULL REFERENCES push_notice ON DELETE CASCADE,
              device bigint NOT NULL,
              service text COLLATE "C" NOT NULL,
              position bigint NOT NULL,
              due_at bigint NOT NULL,
              attempts bigint NOT NULL,
              leased bigint,
              PRIMARY KEY (room_id, device)
            );
            CREATE INDEX push_message_by_due ON push_message (service, due_at);

            -- Whether the host has been told that the room ends soon.
            ALTER TABLE room ADD COLUMN is_warned boolean NOT NULL DEFAULT false;
            """)
}
