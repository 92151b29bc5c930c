internal import MenuGame
internal import UseCases

extension MarkedChange {
    /// The receipts that go with the room, and those that do not. Nothing is kept of a room that is closed.
    var roomReceipts: [Receipt] { room.isClosed ? [] : change.receipts.filter(\.isOfRoom) }
    var ownReceipts: [Receipt] { room.isClosed ? [] : change.receipts.filter { !$0.isOfRoom } }

    /// Has the room to ourselves, so that whatever somebody else keeps in it is there for the next statement to see, or comes later.
    var lockRoom: SQL { "SELECT id FROM room WHERE id = \(room.id) FOR UPDATE" }

    /// That none of the room's receipts is kept under a key of ours.
    var noneKept: SQL {
        let receipts = change.receipts.filter(\.isOfRoom)
        return """
            NOT EXISTS (
              SELECT FROM unnest(
                \(receipts.map(\.key.owner)), \(receipts.map(\.key.key)), \(receipts.map(\.keptAt.milliseconds))
              ) AS wished (owner, key, kept_at)
              JOIN receipt ON receipt.room = \(room.id) AND receipt.owner = wished.owner AND receipt.key = wished.key
                AND receipt.expires_at > wished.kept_at)
            """
    }

    /// Keeps one with the room, in place of one that has expired. Where there is another this is a unique violation.
    func keep(_ receipt: Receipt) -> [SQL] {
        let key = receipt.key
        return [
            """
            DELETE FROM receipt
            WHERE room = \(room.id) AND owner = \(key.owner) AND key = \(key.key) AND expires_at <= \(receipt.keptAt)
            """,
            """
            INSERT INTO receipt (room, owner, key, request, answer, kept_at, expires_at)
            SELECT room.id, \(receipt.columns) FROM \(taken)
            """,
        ]
    }

    /// The same for one that does not go with the room.
    func keepOwn(_ receipt: Receipt) -> [SQL] {
        let key = receipt.key
        // It comes with an opening, and one that was not taken is a unique violation: nothing need be asked of the room, which is elsewhere.
        return [
            "DELETE FROM own_receipt WHERE owner = \(key.owner) AND key = \(key.key) AND expires_at <= \(receipt.keptAt)",
            "INSERT INTO own_receipt (owner, key, request, answer, kept_at, expires_at) VALUES (\(receipt.columns))",
        ]
    }
}

extension Receipt {
    fileprivate var columns: SQL { "\(key.owner), \(key.key), \(request), \(blob: answer), \(keptAt), \(expiresAt)" }

    /// Keeps it, in place of one that has expired. Changes no row where there is another.
    var keep: SQL {
        """
        INSERT INTO own_receipt (owner, key, request, answer, kept_at, expires_at) VALUES (\(columns))
        ON CONFLICT (owner, key) DO UPDATE SET
          request = excluded.request, answer = excluded.answer, kept_at = excluded.kept_at, expires_at = excluded.expires_at
        WHERE own_receipt.expires_at <= excluded.kept_at
        """
    }

    /// Reads all of a table; conditions may follow.
    static func read(from table: SQL, isOfRoom: Bool) -> SQL {
        "SELECT owner, key, request, answer, kept_at, expires_at, \(isOfRoom) FROM \(table)"
    }

    static func all(in room: Identifier) -> SQL { "\(read(from: "receipt", isOfRoom: true)) WHERE room = \(room)" }

    init(_ row: inout Row) throws(StoreError) {
        self.init(
            key: ReceiptKey(owner: try row.tokenHash(), key: row.text()), request: try row.tokenHash(), answer: row.bytes(),
            keptAt: row.instant(), expiresAt: row.instant(), isOfRoom: row.bool())
    }
}

extension Sequence<Rows> {
    /// Of two that two servers have kept in two rooms at the same moment, the first: so everybody is given the same.
    func receipts() throws(StoreError) -> [ReceiptKey: Receipt] {
        let receipts = try all { row throws(StoreError) in try Receipt(&row) }
        return Dictionary(receipts.map { ($0.key, $0) }) { $0.keptAt <= $1.keptAt ? $0 : $1 }
    }
}
