internal import MenuGame
internal import UseCases

extension Connection {
    /// Opens the transaction in which the next commit runs, with these rooms locked. In the order of commits, so that no two servers wait for
    /// one another.
    ///
    /// A server that has gone meanwhile without a word lets go of them when `idle_in_transaction_session_timeout` is over.
    func hold(_ rooms: [Identifier], within limit: Duration) throws(StoreError) {
        rollBack(within: limit)
        _ = try run(
            [
                .begin, "SET LOCAL idle_in_transaction_session_timeout = '5s'",
                "SELECT id FROM room WHERE id = ANY(\(rooms)) ORDER BY id FOR UPDATE",
            ], within: limit)
    }
}
