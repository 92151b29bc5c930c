extension Migration {
    /// Rows of one room stand together in every table, for a commit writes whole pages. What a room has beside its own row goes with it.
    static let rooms = Migration(
        number: 1, name: "rooms",
        script: """
            CREATE TABLE catalogue (
              key INTEGER PRIMARY KEY,
              fingerprint TEXT NOT NULL UNIQUE,
              bytes BLOB NOT NULL
            ) STRICT;

            -- Instants are milliseconds since 1970. last_member and last_submission are the highest numbers ever given out, the latter also
            -- to revisions. opened_by and the other hashes are of device tokens, under a key that is not in here.
            CREATE TABLE room (
              key INTEGER PRIMARY KEY,
              id TEXT NOT NULL UNIQUE,
              pin TEXT NOT NULL UNIQUE,
              catalogue INTEGER NOT NULL REFERENCES catalogue,
              created_at INTEGER NOT NULL,
              expires_at INTEGER NOT NULL,
              deadline_at INTEGER,
              opened_by BLOB NOT NULL,
              reveal_by_host INTEGER NOT NULL CHECK (reveal_by_host IN (0, 1)),
              reveal_by_any_member INTEGER NOT NULL CHECK (reveal_by_any_member IN (0, 1)),
              reveal_by_anyone INTEGER NOT NULL CHECK (reveal_by_anyone IN (0, 1)),
              reveal_at_deadline INTEGER NOT NULL CHECK (reveal_at_deadline IN (0, 1)),
              reveal_at_submissions INTEGER,
              round INTEGER NOT NULL,
              sequence INTEGER NOT NULL,
              host INTEGER,
              last_member INTEGER NOT NULL,
              last_submission INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX room_by_expiry ON room (expires_at);
            CREATE INDEX room_by_opener ON room (opened_by, expires_at);

            CREATE TABLE member (
              room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
              number INTEGER NOT NULL,
              token_hash BLOB NOT NULL,
              nickname TEXT,
              joined_at INTEGER NOT NULL,
              PRIMARY KEY (room, number),
              UNIQUE (room, token_hash)
            ) STRICT, WITHOUT ROWID;

            -- Members that a host removed: they may not come back.
            CREATE TABLE removed (
              room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
              token_hash BLOB NOT NULL,
              PRIMARY KEY (room, token_hash)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE submission (
              room INTEGER NOT NULL,
              member INTEGER NOT NULL,
              number INTEGER NOT NULL,
              revision INTEGER NOT NULL,
              answers TEXT NOT NULL,
              submitted_at INTEGER NOT NULL,
              PRIMARY KEY (room, member),
              FOREIGN KEY (room, member) REFERENCES member ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE result (
              room INTEGER NOT NULL REFERENCES room ON DELETE CASCADE,
              round INTEGER NOT NULL,
              sequence INTEGER NOT NULL,
              revealed_at INTEGER NOT NULL,
              outcome TEXT NOT NULL,
              ballots TEXT NOT NULL,
              decided_menu TEXT,
              PRIMARY KEY (room, round)
            ) STRICT;

            -- Answers to be given again under their idempotency keys. Those that may tell of others than their owner go with their room.
            CREATE TABLE receipt (
              owner BLOB NOT NULL,
              key TEXT NOT NULL,
              request BLOB NOT NULL,
              answer BLOB NOT NULL,
              kept_at INTEGER NOT NULL,
              expires_at INTEGER NOT NULL,
              room INTEGER REFERENCES room ON DELETE CASCADE,
              PRIMARY KEY (owner, key)
            ) STRICT;
            CREATE INDEX receipt_by_expiry ON receipt (expires_at);
            CREATE INDEX receipt_by_room ON receipt (room) WHERE room IS NOT NULL;

            -- Tells one token key from another without giving it away; one row.
            CREATE TABLE token_key (fingerprint BLOB NOT NULL) STRICT;

            -- Counts the trials of whether the database can be written.
            CREATE TABLE trial (count INTEGER NOT NULL) STRICT;
            INSERT INTO trial VALUES (0);
            """)
}
