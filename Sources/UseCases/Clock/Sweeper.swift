import Dispatch

/// Does for as long as it exists what nobody asks for: now and then clears up, and looks every second for rooms that are due.
public final class Sweeper: Sendable {
    private let rooms: Rooms
    private let devices: Devices
    private let queue = DispatchQueue(label: "hansang.sweeper")

    /// Begins at once, with a pause.
    ///
    /// - Parameter seconds: from the end of one sweep to the beginning of the next.
    public init(_ rooms: Rooms, _ devices: Devices, every seconds: Int) {
        self.rooms = rooms
        self.devices = devices
        repeats(every: .seconds(seconds)) { rooms, done in rooms.sweep { _ in done() } }
        repeats(every: .seconds(seconds)) { [devices] _, done in devices.sweep(completion: done) }
        repeats(every: .seconds(1)) { rooms, done in rooms.settleDue { _ in done() } }
    }

    /// The pause is between two turns, on the monotonic clock, so that a slow one is not followed by a crowd.
    private func repeats(
        every pause: DispatchTimeInterval, _ turn: @escaping @Sendable (Rooms, _ done: @escaping @Sendable () -> Void) -> Void
    ) {
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            turn(rooms) { [weak self] in self?.repeats(every: pause, turn) }
        }
    }
}
