public import MenuGame
import Synchronization

/// A clock that stands still until it is told.
public final class TestClock: Sendable {
    private let milliseconds: Mutex<Int64>

    public init(_ milliseconds: Int64 = 1_790_000_000_000) { self.milliseconds = Mutex(milliseconds) }

    public var now: Instant { Instant(milliseconds: milliseconds.withLock { $0 }) }

    /// What has elapsed by it.
    public var elapsed: Duration { .milliseconds(now.milliseconds) }

    public func advance(by milliseconds: Int64) { self.milliseconds.withLock { $0 += milliseconds } }
}
