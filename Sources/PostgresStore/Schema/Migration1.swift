extension Migration {
    /// Every table of a room begins with the room's id, and the other tables with what they are looked up by, so that they can be spread
    /// over many servers by that column (Citus: `create_distributed_table`). What a room has beside its own row goes with it; nothing
    /// else refers to anything. Texts are compared as bytes, as Swift does it here.
    static let rooms = Migration(
        number: 1, name: "rooms",
        script: """
            CREATE TABLE catalogue (
              fingerprint text COLLATE "C" PRIMARY KEY,
              bytes bytea NOT NULL,
              kept_at timestamptz NOT NULL DEFAULT now()
            );

            -- Which room has a PIN. Instants are milliseconds since 1970.
            CREATE TABLE pin_claim (
              pin text COLLATE "C" PRIMARY KEY,
              room text COLLATE "C" NOT NULL,
              expires_at bigint NOT NULL
            );
            CREATE INDEX pin_claim_by_expiry ON pin_claim (expires_at);

            -- last_member and last_submission are the highest numbers ever given out, the latter also to revisions. opened_by and the other
            -- hashes are of device tokens, under a key that is not in here. written_by is the mark of the change that wrote the row last.
            -- There is room left on every page, so that a new version of a row most often stays on it.
            CREATE TABLE room (
              id text COLLATE "C" PRIMARY KEY,
              pin text COLLATE "C" NOT NULL,
              catalogue text COLLATE "C" NOT NULL,
              created_at bigint NOT NULL,
              expires_at bigint NOT NULL,
              deadline_at bigint,
              opened_by bytea NOT NULL,
              reveal_by_host boolean NOT NULL,
              reveal_by_any_member boolean NOT NULL,
              reveal_by_anyone boolean NOT NULL,
              reveal_at_deadline boolean NOT NULL,
              reveal_at_submissions bigint,
              round bigint NOT NULL,
              sequence bigint NOT NULL,
              host bigint,
              last_member bigint NOT NULL,
              last_submission bigint NOT NULL,
              due_at bigint,
              leased_until bigint,
              written_by bigint NOT NULL
            ) WITH (fillfactor = 70);
            CREATE INDEX room_by_expiry ON room (expires_at);
            CREATE INDEX room_by_opener ON room (opened_by, expires_at);
            CREATE INDEX room_by_due ON room (due_at) WHERE due_at IS NOT NULL;

            CREATE TABLE member (
              room text COLLATE "C" NOT NULL REFERENCES room ON DELETE CASCADE,
              number bigint NOT NULL,
              token_hash bytea NOT NULL,
              nickname text,
              joined_at bigint NOT NULL,
              PRIMARY KEY (room, number),
              UNIQUE (room, token_hash)
            );

            -- Members that a host removed: they may not come back.
            CREATE TABLE removed (
              room text COLLATE "C" NOT NULL REFERENCES room ON DELETE CASCADE,
              token_hash bytea NOT NULL,
              PRIMARY KEY (room, token_hash)
            );

            CREATE TABLE submission (
              room text COLLATE "C" NOT NULL,
              member bigint NOT NULL,
              number bigint NOT NULL,
              revision bigint NOT NULL,
              answers text NOT NULL,
              submitted_at bigint NOT NULL,
              PRIMARY KEY (room, member),
              FOREIGN KEY (room, member) REFERENCES member ON DELETE CASCADE
            ) WITH (fillfactor = 85);

            CREATE TABLE result (
              room text COLLATE "C" NOT NULL REFERENCES room ON DELETE CASCADE,
              round bigint NOT NULL,
              sequence bigint NOT NULL,
              revealed_at bigint NOT NULL,
              outcome text NOT NULL,
              ballots text NOT NULL,
              decided_menu text,
              PRIMARY KEY (room, round)
            );

            -- Answers to be given again under their idempotency keys: those that may tell of others than their owner go with their room,
            CREATE TABLE receipt (
              room text COLLATE "C" NOT NULL REFERENCES room ON DELETE CASCADE,
              owner bytea NOT NULL,
              key text COLLATE "C" NOT NULL,
              request bytea NOT NULL,
              answer bytea NOT NULL,
              kept_at bigint NOT NULL,
              expires_at bigint NOT NULL,
              PRIMARY KEY (room, owner, key)
            );
            CREATE INDEX receipt_by_owner ON receipt (owner, key);
            CREATE INDEX receipt_by_expiry ON receipt (expires_at);

            -- and these do not.
            CREATE TABLE own_receipt (
              owner bytea NOT NULL,
              key text COLLATE "C" NOT NULL,
              request bytea NOT NULL,
              answer bytea NOT NULL,
              kept_at bigint NOT NULL,
              expires_at bigint NOT NULL,
              PRIMARY KEY (owner, key)
            );
            CREATE INDEX own_receipt_by_expiry ON own_receipt (expires_at);

            -- Tells one token key from another without giving it away; one row.
            CREATE TABLE token_key (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), fingerprint bytea NOT NULL);

            -- Counts the trials of whether the database can be written.
            CREATE TABLE trial (count bigint NOT NULL);
            INSERT INTO trial VALUES (0);
            """)
}
