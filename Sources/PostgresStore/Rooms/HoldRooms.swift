internal import MenuGame
internal import UseCases

extension Connection {
    /// Opens the transaction in which the next commit runs, with these rooms locked. In the order of commits, so that no two servers wait
    /// for one another.
    ///
    /// A server that has gone meanwhile without a word lets go of them when that time is over.
    ///
    /// - Throws: also where somebody else does not let go of one of them in time.
    func hold(_ rooms: [Identifier], within limits: TimeLimits) throws(StoreError) {
        rollBack(within: limits.write)
        let locks: [SQL] = Set(rooms).sorted().map { "SELECT id FROM room WHERE id = \($0) FOR UPDATE" }
        _ = try run([.begin, .limitIdling(limits.hold), .limitLocks(limits.holdLock)] + locks, within: limits.write)
    }
}
