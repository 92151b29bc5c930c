internal import MenuGame
internal import UseCases

extension MarkedChange {
    /// The receipts that go with the room, and those that do not. Nothing is kept of a room that is closed.
    var roomReceipts: [Receipt] { room.isClosed ? [] : change.receipts.filter(\.isOfRoom) }
    var ownReceipts: [Receipt] { room.isClosed ? [] : change.receipts.filter { !$0.isOfRoom } }

    /// Notes with the room that an answer goes with it. Only after what refuses the transaction where the change is not taken.
    func note(_ receipt: Receipt) -> SQL {
        """
        INSERT INTO room_receipt (room, owner, key, bytes, expires_at)
        VALUES (\(room.id), \(receipt.key.owner), \(receipt.key.key), \(receipt.answer.count), \(receipt.expiresAt))
        ON CONFLICT (room, owner, key) DO UPDATE SET bytes = excluded.bytes, expires_at = excluded.expires_at
        """
    }
}

extension Receipt {
    /// Keeps one that belongs to no room, in place of one that has expired. Changes no row where there is another.
    var keep: SQL {
        """
        \(insert(in: nil))
        ON CONFLICT (owner, key) DO UPDATE SET
          request = excluded.request, answer = excluded.answer, kept_at = excluded.kept_at, expires_at = excluded.expires_at,
          room = excluded.room
        WHERE receipt.expires_at <= excluded.kept_at
        """
    }

    /// Keeps one in place of one that has expired. Where there is another this is a unique violation.
    ///
    /// - Parameter room: the one that it goes with; `nil` where it goes with none.
    func keep(in room: Identifier?) -> [SQL] {
        ["DELETE FROM receipt WHERE owner = \(key.owner) AND key = \(key.key) AND expires_at <= \(keptAt)", insert(in: room)]
    }

    private func insert(in room: Identifier?) -> SQL {
        """
        INSERT INTO receipt (owner, key, request, answer, kept_at, expires_at, room)
        VALUES (\(key.owner), \(key.key), \(request), \(blob: answer), \(keptAt), \(expiresAt), \(room?.text))
        """
    }

    /// Deletes somebody's that go with a room, in the order of their keys.
    static func delete(_ keys: [String], of owner: TokenHash, in room: Identifier) -> SQL {
        """
        DELETE FROM receipt WHERE owner = \(owner) AND key IN (
          SELECT key FROM receipt WHERE owner = \(owner) AND room = \(room) AND key = ANY(\(keys)) ORDER BY key FOR UPDATE)
        """
    }

    /// Reads all; conditions may follow.
    static let read: SQL = "SELECT owner, key, request, answer, kept_at, expires_at, room IS NOT NULL FROM receipt"

    /// Reads those under these keys that have not expired, each owner's by a statement of its own.
    static func find(_ keys: [ReceiptKey], at now: Instant) -> [SQL] {
        Dictionary(grouping: keys, by: \.owner).map { owner, keys in
            "\(read) WHERE owner = \(owner) AND key = ANY(\(keys.map(\.key))) AND expires_at > \(now)"
        }
    }

    init(_ row: inout Row) throws(StoreError) {
        self.init(
            key: ReceiptKey(owner: try row.tokenHash(), key: row.text()), request: try row.tokenHash(), answer: row.bytes(),
            keptAt: row.instant(), expiresAt: row.instant(), isOfRoom: row.bool())
    }
}

extension Sequence<Rows> {
    func receipts() throws(StoreError) -> [ReceiptKey: Receipt] {
        let receipts = try all { row throws(StoreError) in try Receipt(&row) }
        return Dictionary(receipts.map { ($0.key, $0) }) { first, _ in first }
    }
}
