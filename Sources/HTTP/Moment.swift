/// A reading of a clock that only goes forward, for time-outs.
///
/// `ContinuousClock.Instant` would say the same, but its layout is hidden from the compiler, and with it that of every type that
/// holds one: this alone was a tenth of the time of a request.
public struct Moment: Hashable, Comparable, Sendable {
    /// Since some moment that is the same for all readings.
    public let elapsed: Duration

    public init(elapsed: Duration) { self.elapsed = elapsed }

    public static func < (left: Moment, right: Moment) -> Bool { left.elapsed < right.elapsed }
    public static func + (moment: Moment, duration: Duration) -> Moment { Moment(elapsed: moment.elapsed + duration) }
    /// Negative where they are the other way round.
    public static func - (later: Moment, earlier: Moment) -> Duration { later.elapsed - earlier.elapsed }
}
