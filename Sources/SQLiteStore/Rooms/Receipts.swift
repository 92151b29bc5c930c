internal import MenuGame
internal import UseCases

extension Connection {
    func receipt(_ key: ReceiptKey, at now: Instant) throws(StoreError) -> Receipt? {
        try first(
            """
            SELECT request, answer, kept_at, expires_at, room IS NOT NULL FROM receipt
            WHERE owner = \(key.owner) AND key = \(key.key) AND expires_at > \(now)
            """
        ) { row throws(StoreError) in
            Receipt(
                key: key, request: try row.tokenHash(), answer: row.bytes(), keptAt: row.instant(), expiresAt: row.instant(),
                isOfRoom: row.bool())
        }
    }

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
