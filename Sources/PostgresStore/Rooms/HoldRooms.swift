internal import MenuGame
internal import UseCases

extension Connection {
    /// Opens the transaction in which the next commit runs, with these rooms locked. In the order of commits, so that no two servers wait for
    /// one another.
    ///
    /// A server that has gone meanwhile without a word lets go of them when that time is over.
    ///
    /// - Throws: also where somebody else does not let go of one of them in time.
    func hold(_ rooms: [Identifier], within limits: TimeLimits) throws(StoreError) {
        rollBack(within: limits.write)
        _ = try run(
            [
                .begin, "SELECT set_config('idle_in_transaction_session_timeout', \(String(limits.hold.milliseconds)), true)",
                .limitLocks(limits.holdLock), "SELECT id FROM room WHERE id = ANY(\(rooms)) ORDER BY id FOR UPDATE",
            ], within: limits.write)
    }
}
