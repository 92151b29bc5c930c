import MenuGame

/// Whether a service is given messages just now: one that fails again and again is left in peace for a while, then asked with one message,
/// and gets the rest once it has answered that. What waits meanwhile is not tried and loses no attempts. A device that fails while
/// others are reached shuts nothing. Pure: elapsed time is given.
struct ServiceGate {
    private enum State {
        /// It has failed that often in a row.
        case open(failures: Int)
        /// It has been shut that often since it last answered.
        case shut(until: Duration, times: Int)
        /// One message is on its way, to see.
        case probing(times: Int)
    }

    private var state = State.open(failures: 0)

    /// How many messages it may have in hand, of `limit`.
    func capacity(_ limit: Int, at now: Duration) -> Int {
        switch state {
        case .open: limit
        case .shut(let until, _): now < until ? 0 : min(limit, 1)
        case .probing: min(limit, 1)
        }
    }

    /// When it may be tried again, if it is shut.
    var opensAt: Duration? { if case .shut(let until, _) = state { until } else { nil } }

    /// Whether it has not failed since it last answered.
    var isSound: Bool { if case .open(failures: 0) = state { true } else { false } }

    /// Messages are on their way to it.
    mutating func sent() { if case .shut(_, let times) = state { state = .probing(times: times) } }

    /// - Returns: whether it has just been shut, and was open before.
    mutating func note(_ outcome: PushOutcome, at now: Duration, random: UInt64) -> Bool {
        let atLeast: Duration
        var tolerance = Bounds.pushFailures
        switch outcome {
        case .accepted, .gone, .rejected, .again(_, troubled: false, _):
            state = .open(failures: 0)
            return false
        case .again(let after, troubled: true, _):
            atLeast = after ?? .zero
        case .unauthorized:
            atLeast = Bounds.pushUnauthorizedPause
            tolerance = 1
        }
        switch state {
        case .open(let failures) where failures + 1 < tolerance:
            state = .open(failures: failures + 1)
        case .open:
            shut(for: atLeast, times: 1, at: now, random)
            return true
        case .probing(let times):
            shut(for: atLeast, times: times + 1, at: now, random)
        // Of those that fail together, one counts; but nobody is to come before the latest time that was told.
        case .shut(let until, let times):
            state = .shut(until: max(until, now + atLeast), times: times)
        }
        return false
    }

    private mutating func shut(for pause: Duration, times: Int, at now: Duration, _ random: UInt64) {
        let jitter = PushRules.jitter(times, upTo: Bounds.pushGatePause, random)
        state = .shut(until: now + pause + .milliseconds(jitter), times: times)
    }
}
