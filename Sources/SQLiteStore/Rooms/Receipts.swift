internal import MenuGame
internal import UseCases

extension Connection {
    func receipt(_ key: ReceiptKey, at now: Instant) throws(StoreError) -> Receipt? {
        try first("\(Self.receiptColumns) WHERE owner = \(key.owner) AND key = \(key.key) AND expires_at > \(now)") {
            row throws(StoreError) in
            try row.receipt()
        }
    }

    /// Those that go with a room, or with none.
    func receipts(in room: Identifier?) throws(StoreError) -> [Receipt] {
        let ofThese: SQL = room.map { "room = (SELECT key FROM room WHERE id = \($0))" } ?? "room IS NULL"
        return try all("\(Self.receiptColumns) WHERE \(ofThese)") { row throws(StoreError) in try row.receipt() }
    }

    private static let receiptColumns: SQL = "SELECT owner, key, request, answer, kept_at, expires_at, room IS NOT NULL FROM receipt"

    /// In place of one that has expired. That there is no other was looked up before.
    ///
    /// - Parameter room: with which it goes; `nil` for none.
    func write(_ receipt: Receipt, of room: Int64?) throws(StoreError) {
        let key = receipt.key
        try run("DELETE FROM receipt WHERE owner = \(key.owner) AND key = \(key.key) AND expires_at <= \(receipt.keptAt)")
        try runOnOne(
            """
            INSERT INTO receipt (owner, key, request, answer, kept_at, expires_at, room)
            VALUES (
              \(key.owner), \(key.key), \(receipt.request), \(blob: receipt.answer), \(receipt.keptAt), \(receipt.expiresAt), \(room))
            """)
    }

    func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int {
        try transaction { () throws(StoreError) in
            try all(
                """
                DELETE FROM receipt WHERE rowid IN (
                  SELECT rowid FROM receipt WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit))
                RETURNING 1
                """
            ) { $0.integer() }.count
        }
    }
}

extension Row {
    fileprivate mutating func receipt() throws(StoreError) -> Receipt {
        Receipt(
            key: ReceiptKey(owner: try tokenHash(), key: text()), request: try tokenHash(), answer: bytes(), keptAt: instant(),
            expiresAt: instant(), isOfRoom: bool())
    }
}
