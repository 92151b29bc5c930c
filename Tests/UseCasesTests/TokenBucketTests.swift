import Testing
import UseCases

@Suite("A token bucket")
struct TokenBucketTests {
    private let limit = RateLimit(burst: 3, interval: .seconds(20))

    /// How many tokens can be taken at once.
    private func taken(_ bucket: inout TokenBucket, at now: Duration, limit: RateLimit) -> Int {
        (0..<1000).prefix { _ in bucket.take(limit, at: now) == nil }.count
    }

    @Test("The burst at once, then one more for every interval, and it is said how long that is")
    func burst() {
        var bucket = TokenBucket(fullAt: .zero)
        #expect(taken(&bucket, at: .zero, limit: limit) == 3)
        #expect(bucket.take(limit, at: .zero) == .seconds(20))
        #expect(bucket.take(limit, at: .milliseconds(19_999)) == .milliseconds(1))
        #expect(bucket.take(limit, at: .seconds(20)) == nil)
        #expect(bucket.take(limit, at: .seconds(20)) == .seconds(20))
        #expect(taken(&bucket, at: .seconds(65), limit: limit) == 2)
        #expect(bucket.take(limit, at: .seconds(65)) == .seconds(15))
    }

    @Test("However long nothing was taken, there is never more than the burst")
    func never() {
        var bucket = TokenBucket(fullAt: .zero)
        for now in [60, 61, 3600, 1 << 40] as [Int64] {
            #expect(taken(&bucket, at: .seconds(now), limit: limit) <= 3)
        }
        #expect(taken(&bucket, at: .seconds(1 << 41), limit: limit) == 3)
    }

    @Test("Trying in vain costs nothing")
    func vain() {
        var bucket = TokenBucket(fullAt: .zero)
        for _ in 0..<1000 { _ = bucket.take(limit, at: .zero) }
        #expect(bucket.take(limit, at: .seconds(20)) == nil)
    }

    @Test("What is given back can be taken again, and a full bucket stays full")
    func giveBack() {
        var bucket = TokenBucket(fullAt: .zero)
        for _ in 0..<3 { _ = bucket.take(limit, at: .zero) }
        bucket.giveBack(limit)
        #expect(taken(&bucket, at: .zero, limit: limit) == 1)
        for _ in 0..<9 { bucket.giveBack(limit) }
        #expect(taken(&bucket, at: .zero, limit: limit) == 3)
    }

    @Test("A clock that goes back gives nothing away, and lets nobody wait longer than an interval")
    func clockGoesBack() {
        var bucket = TokenBucket(fullAt: .seconds(1000))
        #expect(taken(&bucket, at: .seconds(1000), limit: limit) == 3)
        for now in [990, 500, 0, -1_000_000] as [Int64] { #expect(bucket.take(limit, at: .seconds(now)) == .seconds(20)) }
        #expect(bucket.take(limit, at: .seconds(-1_000_000 + 20)) == nil)
    }

    @Test("Times at the ends of what there is do not overflow", arguments: [Int64.max, .min, 0, -1, .max - 1])
    func hugeTimes(seconds: Int64) {
        for start in [Int64.max, .min, 0] {
            for limit in [limit, RateLimit(perHour: 1), RateLimit(perHour: 1_000_000), RateLimit(perHour: 0)] {
                var bucket = TokenBucket(fullAt: .seconds(start))
                #expect(taken(&bucket, at: .seconds(seconds), limit: limit) <= limit.burst)
            }
        }
    }

    @Test("So many an hour are so many at once, and the next after its share of the hour", arguments: [1, 7, 60, 900])
    func perHour(count: Int) {
        let limit = RateLimit(perHour: count)
        var bucket = TokenBucket(fullAt: .zero)
        #expect(taken(&bucket, at: .zero, limit: limit) == count)
        let wait = bucket.take(limit, at: .zero)
        #expect(wait == .seconds(3600) / count)
        #expect(bucket.take(limit, at: .seconds(3600) / count) == nil)
    }
}
