/// How fast a client takes what is sent to it: it has only so long for the next byte, and for all that it has taken so far.
struct WritePace {
    /// Since when there has always been something pending, and what the client has taken meanwhile.
    private var pending: (since: Moment, taken: Int)?
    /// When it has been too slow; `nil` while nothing is pending.
    private(set) var deadline: Moment?

    var isPending: Bool { deadline != nil }

    /// The client has taken `count` bytes, and there are more.
    mutating func took(_ count: Int, at now: Moment, _ limits: ConnectionLimits) {
        guard var pending else {
            pending = (since: now, taken: 0)
            deadline = now + limits.writeTimeout
            return
        }
        guard count > 0 else { return }
        pending.taken += count
        self.pending = pending
        deadline = min(now + limits.writeTimeout, pending.since + limits.writeAllowance(taken: pending.taken))
    }
}
