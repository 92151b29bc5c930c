import Testing

@testable import UseCases

@Suite("A rate limit for each of many")
struct RateLimiterTests {
    private let limit = RateLimit(burst: 3, interval: .seconds(20))

    private func exhaust(_ limiter: RateLimiter<Int>, _ key: Int, at now: Duration) {
        for _ in 0..<limit.burst { #expect(limiter.take(key, at: now) == nil) }
        #expect(limiter.take(key, at: now) != nil)
    }

    @Test("Each has its own")
    func apart() {
        let limiter = RateLimiter<Int>(limit, capacity: 10)
        exhaust(limiter, 1, at: .zero)
        exhaust(limiter, 2, at: .zero)
        #expect(limiter.take(1, at: .seconds(20)) == nil)
    }

    @Test("It is remembered over any number of turns, used or not, until its bucket is full again")
    func turns() {
        let limiter = RateLimiter<Int>(limit, capacity: 10)
        exhaust(limiter, 1, at: .zero)
        // Somebody else makes it turn, when the bucket of the first lacks two of three.
        #expect(limiter.take(2, at: .seconds(60)) == nil)
        exhaust(limiter, 1, at: .seconds(60))
        #expect(limiter.take(2, at: .seconds(119)) == nil)
        #expect(limiter.take(2, at: .seconds(120)) == nil)
        #expect(limiter.take(1, at: .seconds(79)) != nil)
        for _ in 0..<3 { #expect(limiter.take(1, at: .seconds(120)) == nil) }
        #expect(limiter.take(1, at: .seconds(120)) != nil)
    }

    @Test("Who has done nothing for long is forgotten")
    func forgetting() {
        let limiter = RateLimiter<Int>(limit, capacity: 1000)
        for key in 0..<500 { _ = limiter.take(key, at: .zero) }
        #expect(limiter.count == 500)
        _ = limiter.take(-1, at: .seconds(60))
        _ = limiter.take(-1, at: .seconds(120))
        #expect(limiter.count == 1)
    }

    @Test("A flood of keys takes no more memory than is set aside, and blocks none of them")
    func flood() {
        let limiter = RateLimiter<Int>(limit, capacity: 100)
        for key in 0..<100_000 {
            #expect(limiter.take(key, at: .zero) == nil)
            if limiter.count > 200 { Issue.record("\(limiter.count) keys are remembered") }
        }
        #expect(limiter.count >= 100)
    }

    @Test("A flood smaller than what is set aside lets nobody who is throttled go on")
    func smallFlood() {
        let limiter = RateLimiter<Int>(limit, capacity: 100)
        exhaust(limiter, -1, at: .zero)
        for key in 0..<99 { _ = limiter.take(key, at: .zero) }
        #expect(limiter.take(-1, at: .zero) != nil)
        // Being looked up has made it one of the young again, also where its own look-up makes the turn.
        for key in 100..<199 { _ = limiter.take(key, at: .zero) }
        #expect(limiter.take(-1, at: .zero) != nil)
    }

    @Test("What is given back can be taken again, after a turn too; what nobody took does no harm")
    func giveBack() {
        let limiter = RateLimiter<Int>(limit, capacity: 10)
        limiter.giveBack(7)
        exhaust(limiter, 1, at: .zero)
        limiter.giveBack(1)
        #expect(limiter.take(1, at: .zero) == nil)
        #expect(limiter.take(1, at: .zero) != nil)
        for key in 10..<20 { _ = limiter.take(key, at: .zero) }
        limiter.giveBack(1)
        #expect(limiter.take(1, at: .zero) == nil)
        #expect(limiter.take(1, at: .zero) != nil)
    }

    @Test("Many at once take exactly as many as there are")
    func concurrency() async {
        let limiter = RateLimiter<Int>(RateLimit(burst: 500, interval: .seconds(20)), capacity: 10)
        let taken = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { (0..<200).count { _ in limiter.take(1, at: .zero) == nil } } }
            return await group.reduce(0, +)
        }
        #expect(taken == 500)
    }
}
