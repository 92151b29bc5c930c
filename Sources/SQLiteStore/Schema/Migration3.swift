extension Migration {
    /// Phones that want to be told, and what they are to be told.
    static let push = Migration(
        number: 3, name: "push",
        script: """
            -- Where devices want to be told. A key is never given out again, for messages go by it. room_id is set for a live activity; it
            -- outlives its room, so that its end can be told.
            CREATE TABLE device (
              key INTEGER PRIMARY KEY AUTOINCREMENT,
              owner BLOB NOT NULL,
              platform TEXT NOT NULL,
              push_token TEXT NOT NULL,
              language TEXT NOT NULL,
              room_id TEXT,
              registered_at INTEGER NOT NULL,
              expires_at INTEGER NOT NULL,
              UNIQUE (platform, push_token)
            ) STRICT;
            CREATE INDEX device_by_owner ON device (owner, registered_at);
            CREATE INDEX device_by_room ON device (room_id, key) WHERE room_id IS NOT NULL;
            CREATE INDEX device_by_expiry ON device (expires_at);

            -- The newest stage of each room that is worth telling; position is the higher, the newer. looked_up is the last device that has a
            -- message of it; NULL when all have.
            CREATE TABLE push_notice (
              room_id TEXT PRIMARY KEY,
              position INTEGER NOT NULL,
              sequence INTEGER NOT NULL,
              stage TEXT NOT NULL,
              phase TEXT NOT NULL,
              members INTEGER NOT NULL,
              submissions INTEGER NOT NULL,
              at INTEGER NOT NULL,
              expires_at INTEGER NOT NULL,
              looked_up INTEGER
            ) STRICT;
            CREATE INDEX push_notice_to_look_up ON push_notice (at) WHERE looked_up IS NOT NULL;
            CREATE INDEX push_notice_by_expiry ON push_notice (expires_at);

            -- One device to be told of one room. leased is the position that somebody is sending, due_at then the end of that lease.
            CREATE TABLE push_message (
              room_id TEXT NOT NULL REFERENCES push_notice ON DELETE CASCADE,
              device INTEGER NOT NULL REFERENCES device ON DELETE CASCADE,
              service TEXT NOT NULL,
              position INTEGER NOT NULL,
              due_at INTEGER NOT NULL,
              attempts INTEGER NOT NULL,
              leased INTEGER,
              PRIMARY KEY (room_id, device)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX push_message_by_device ON push_message (device);
            CREATE INDEX push_message_by_due ON push_message (service, due_at);

            -- Whether the host has been told that the room ends soon.
            ALTER TABLE room ADD COLUMN is_warned INTEGER NOT NULL DEFAULT 0;
            """)
}
