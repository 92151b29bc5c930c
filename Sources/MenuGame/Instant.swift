/// A point of wall-clock time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds. Elapsed time is a `Duration`, never this.
public struct Instant: Hashable, Comparable, Sendable {
    /// Epoch milliseconds; negative before 1970.
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (a: Instant, b: Instant) -> Bool { a.milliseconds < b.milliseconds }

    /// The instant that many milliseconds later; the last or first one there is where that is out of range.
    public func advanced(by milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        return Instant(milliseconds: overflow ? (milliseconds < 0 ? .min : .max) : sum)
    }
}
