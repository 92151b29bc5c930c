internal import MenuGame
internal import UseCases

extension Connection {
    func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN] {
        try transaction { () throws(StoreError) in
            try noteEnds(expiredAt: now, limit: limit)
            let pins = try all(
                """
                DELETE FROM room WHERE key IN (
                  SELECT key FROM room WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit))
                RETURNING pin
                """
            ) { row throws(StoreError) in try row.pin() }
            if !pins.isEmpty { try giveBackSpace() }
            return pins
        }
    }

    /// Gives some of the file back where much of it is empty. Little at a time, for commands are waiting.
    private func giveBackSpace() throws(StoreError) {
        let free = try first("PRAGMA freelist_count") { $0.integer() } ?? 0
        let all = try first("PRAGMA page_count") { $0.integer() } ?? 0
        if free > 256, free > all / 4 { try run("PRAGMA incremental_vacuum(256)") }
    }
}
