/// How observed values are distributed: for each row, how many were at most each bound, and their sum.
///
/// An observation is two atomic additions. A scrape reads while others add, so that it may see the one and not yet the other; the next
/// one sees both.
public final class Histogram: Sendable {
    /// The largest value that each bucket takes, increasing; beyond the last there is one bucket more.
    public let bounds: [Int]
    private let buckets: Counts
    private let sums: Counts

    public init(bounds: [Int], rows: Int = 1) {
        self.bounds = bounds
        buckets = Counts((bounds.count + 1) * max(1, rows))
        sums = Counts(rows)
    }

    public func observe(_ value: Int, row: Int = 0) {
        // Bounds are few, and most values are small: to look through them is as fast as anything.
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        buckets.add(at: row * (bounds.count + 1) + bucket)
        sums.add(value, at: row)
    }

    /// What has been observed in one row.
    func distribution(row: Int) -> (cumulative: [Int], count: Int, sum: Int) {
        var cumulative: [Int] = []
        var count = 0
        for bucket in 0...bounds.count {
            count &+= buckets[row * (bounds.count + 1) + bucket]
            if bucket < bounds.count { cumulative.append(count) }
        }
        return (cumulative, count, sums[row])
    }
}
