/// How often something may be done: `burst` times at once, and from then on once every `interval`.
public struct RateLimit: Hashable, Sendable {
    public let burst: Int
    public let interval: Duration

    /// - Parameters:
    ///   - burst: fewer than one counts as one.
    ///   - interval: longer than nothing.
    public init(burst: Int, interval: Duration) {
        self.burst = max(1, burst)
        self.interval = interval
    }

    /// That many at once, and as many again spread evenly over an hour; fewer than one counts as one.
    public init(perHour count: Int) { self.init(burst: count, interval: .seconds(3600) / max(1, count)) }

    /// After so long without a use all of the burst is there again.
    var recovery: Duration { interval * burst }
}
