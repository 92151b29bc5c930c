import Synchronization

/// One rate limit for each of any number of keys, in bounded memory.
///
/// The buckets are of two generations: those used since the last turn, and those used before. At a turn the older ones are forgotten. There
/// is one whenever the limit's recovery has passed, so what is forgotten then was full and nothing is lost. There is one earlier when as
/// many keys as fit have come meanwhile: then those that were not used for longest are forgotten though they were not full, which is to
/// their favour. So a flood of keys never blocks anybody who did nothing, and all it wins is what that many keys may do anyway.
public final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Generations {
        var young: [Key: TokenBucket] = [:]
        var old: [Key: TokenBucket] = [:]
        /// `nil` until the first use.
        var turnedAt: Duration?
    }

    public let limit: RateLimit
    private let capacity: Int
    private let generations = Mutex(Generations())

    /// - Parameter capacity: keys of one generation, of which there are two.
    public init(_ limit: RateLimit, capacity: Int = Bounds.rateLimitedKeys) {
        self.limit = limit
        self.capacity = max(1, capacity)
    }

    /// Takes one of what the key has left, or says how long it will be until it has one. O(1).
    ///
    /// - Parameter now: what has elapsed on a clock that only goes forward.
    /// - Returns: `nil` where it was taken.
    public func take(_ key: Key, at now: Duration) -> Duration? {
        generations.withLock { generations in
            var bucket = generations.young.removeValue(forKey: key) ?? generations.old.removeValue(forKey: key) ?? TokenBucket(fullAt: now)
            let wait = bucket.take(limit, at: now)
            let turnedAt = generations.turnedAt ?? now
            generations.turnedAt = turnedAt
            if generations.young.count >= capacity || now - turnedAt >= limit.recovery {
                generations.old = generations.young
                generations.young = Dictionary(minimumCapacity: generations.old.count)
                generations.turnedAt = now
            }
            generations.young[key] = bucket
            return wait
        }
    }

    /// Gives one back that was taken in vain.
    public func giveBack(_ key: Key) {
        generations.withLock { generations in
            if generations.young[key]?.giveBack(limit) == nil { generations.old[key]?.giveBack(limit) }
        }
    }

    /// Keys that are remembered just now, twice the capacity at most.
    var count: Int { generations.withLock { $0.young.count + $0.old.count } }
}
