import Dispatch

/// Sweeps now and then for as long as it exists.
public final class Sweeper: Sendable {
    private let rooms: Rooms
    private let pause: DispatchTimeInterval
    private let queue = DispatchQueue(label: "hansang.sweeper", qos: .utility)

    /// Begins at once, with a pause.
    ///
    /// - Parameter seconds: from the end of one sweep to the beginning of the next.
    public init(_ rooms: Rooms, every seconds: Int) {
        self.rooms = rooms
        pause = .seconds(seconds)
        schedule()
    }

    /// The pause is between two sweeps, on the monotonic clock, so that a slow one is not followed by a crowd.
    private func schedule() {
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            self?.rooms.sweep { [weak self] _ in self?.schedule() }
        }
    }
}
