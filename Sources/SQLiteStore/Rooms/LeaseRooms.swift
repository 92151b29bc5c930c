internal import MenuGame
internal import UseCases

extension Connection {
    func hasDue(at now: Instant) throws(StoreError) -> Bool {
        try first("SELECT 1 FROM room WHERE due_at <= \(now) AND coalesce(leased_until, 0) <= \(now) LIMIT 1") { _ in true } ?? false
    }

    func lease(dueAt now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PIN] {
        try transaction { () throws(StoreError) in
            try all(
                """
                UPDATE room SET leased_until = \(end) WHERE key IN (
                  SELECT key FROM room WHERE due_at <= \(now) AND coalesce(leased_until, 0) <= \(now) ORDER BY due_at LIMIT \(limit))
                RETURNING pin
                """
            ) { row throws(StoreError) in try row.pin() }
        }
    }
}
