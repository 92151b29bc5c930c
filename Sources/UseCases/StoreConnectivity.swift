import MenuGame
import Synchronization

/// Whether the store answers, and when it did last.
final class StoreConnectivity: Sendable {
    private struct State {
        var last: Instant
        var isLost = false
    }

    private let state: Mutex<State>

    init(at now: Instant) { state = Mutex(State(last: now)) }

    /// It has answered what was asked at this moment.
    func restore(at instant: Instant) {
        state.withLock { state in
            state.isLost = false
            state.last = max(state.last, instant)
        }
    }

    /// It has not answered.
    ///
    /// - Returns: whether it is the first to find out, so that it is worth waiting a little.
    func lose() -> Bool {
        state.withLock { state in
            defer { state.isLost = true }
            return !state.isLost
        }
    }

    /// The room as it was when the store answered last.
    func outdated(_ published: PublishedRoom) -> PublishedRoom { PublishedRoom(published.room, asOf: state.withLock(\.last)) }
}
