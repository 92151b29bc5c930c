extension Migration {
    /// What is looked up by somebody's token is spread by that token, and no longer beside the rooms that it is about: kept answers, and
    /// who has opened which room.
    ///
    /// Tables that are spread already stay so, and the new one refers to none of them, so that this runs where they are on many servers
    /// too.
    static let owners = Migration(
        number: 3, name: "owners",
        script: """
            DROP INDEX receipt_by_owner;
            DROP INDEX room_by_opener;

            -- The keys whose answers go with a room, and how many bytes those take.
            ALTER TABLE receipt RENAME TO room_receipt;
            ALTER INDEX receipt_pkey RENAME TO room_receipt_pkey;
            ALTER INDEX receipt_by_expiry RENAME TO room_receipt_by_expiry;

            -- All answers. room is the one that an answer goes with, which has its key then; NULL where it goes with none.
            ALTER TABLE own_receipt RENAME TO receipt;
            ALTER INDEX own_receipt_pkey RENAME TO receipt_pkey;
            ALTER INDEX own_receipt_by_expiry RENAME TO receipt_by_expiry;
            ALTER TABLE receipt ADD COLUMN room text COLLATE "C";

            -- One a key: two servers may have kept one each, and where one has expired it is the other that counts.
            INSERT INTO receipt (owner, key, request, answer, kept_at, expires_at, room)
            SELECT DISTINCT ON (owner, key) owner, key, request, answer, kept_at, expires_at, room
            FROM room_receipt ORDER BY owner, key, expires_at DESC
            ON CONFLICT (owner, key) DO UPDATE SET
              request = excluded.request, answer = excluded.answer, kept_at = excluded.kept_at, expires_at = excluded.expires_at,
              room = excluded.room
            WHERE receipt.expires_at < excluded.expires_at;
            DELETE FROM room_receipt
            WHERE (room, owner, key) IN (SELECT room, owner, key FROM room_receipt EXCEPT SELECT room, owner, key FROM receipt);

            ALTER TABLE room_receipt ADD COLUMN bytes bigint;
            UPDATE room_receipt SET bytes = octet_length(answer);
            ALTER TABLE room_receipt
              ALTER COLUMN bytes SET NOT NULL, DROP COLUMN request, DROP COLUMN answer, DROP COLUMN kept_at;

            -- Who has opened a room, for as long as it is there.
            CREATE TABLE opening (
              owner bytea NOT NULL,
              room text COLLATE "C" NOT NULL,
              expires_at bigint NOT NULL,
              PRIMARY KEY (owner, room)
            );
            INSERT INTO opening (owner, room, expires_at) SELECT opened_by, id, expires_at FROM room;
            CREATE INDEX opening_by_expiry ON opening (expires_at);
            """)
}
