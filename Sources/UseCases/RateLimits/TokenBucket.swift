/// What somebody has left of a rate limit. A value; time is handed in, as what has elapsed on a clock that only goes forward.
///
/// Kept as the generic cell rate algorithm does (ITU-T I.371): not a count that has to be filled up again and again, but the one moment at
/// which the bucket will be full.
public struct TokenBucket: Hashable, Sendable {
    private var fullAt: Duration

    /// A bucket that is full at that moment and from then on, unless something is taken.
    public init(fullAt moment: Duration) { fullAt = moment }

    /// Takes a token, or says how long it will be until there is one: never longer than the limit's interval.
    ///
    /// - Returns: `nil` where it was taken.
    public mutating func take(_ limit: RateLimit, at now: Duration) -> Duration? {
        // Should the clock go back all the same, nobody gets more tokens or waits longer.
        fullAt = min(max(fullAt, now), now + limit.recovery)
        let wait = fullAt + limit.interval - (now + limit.recovery)
        guard wait <= .zero else { return wait }
        fullAt += limit.interval
        return nil
    }

    /// Puts a token back that was taken in vain. A full bucket stays full.
    public mutating func giveBack(_ limit: RateLimit) { fullAt -= limit.interval }
}
