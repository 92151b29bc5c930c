import Dispatch
import MenuGame
import Synchronization

extension Rooms {
    /// Answers when the room is further than `sequence`, when it is over, or when the time is up, whichever comes first; then with
    /// the room as it is, or `roomNotFound`.
    ///
    /// - Parameters:
    ///   - room: as it was read.
    ///   - seconds: on the monotonic clock.
    /// - Returns: what can be told to wait no longer.
    public func awaitChange(
        of room: PublishedRoom, after sequence: Int, atMost seconds: Int, completion: @escaping Completion<PublishedRoom>
    ) -> Wait {
        let (id, pin) = (room.room.id, room.room.pin)
        let wait = Wait(atMost: seconds) { [self] wait in
            unwatch(id, by: wait)
            read(pin) { result in
                // Another room may have drawn the PIN meanwhile.
                completion(result.flatMap { $0.room.id == id ? .success($0) : .failure(.roomNotFound) })
            }
        }
        watch(room, after: sequence, by: wait)
        wait.begin()
        return wait
    }
}

/// Somebody who waits for a room's next change.
public final class Wait: RoomWatcher {
    private typealias Handler = @Sendable (Wait) -> Void

    private let handler: Mutex<Handler?>
    /// One of its own, for it is cancelled with the wait: most end long before their time. A source may be cancelled from any thread.
    nonisolated(unsafe) private let timer: any DispatchSourceTimer
    private static let queue = DispatchQueue(label: "hansang.waits")

    /// - Parameter handler: called once.
    fileprivate init(atMost seconds: Int, _ handler: @escaping @Sendable (Wait) -> Void) {
        self.handler = Mutex(handler)
        timer = DispatchSource.makeTimerSource(queue: Self.queue)
        timer.schedule(deadline: .now() + .seconds(seconds))
        timer.setEventHandler { [weak self] in self?.end() }
    }

    /// Lets the time run. To be called when it is among the watchers, from where its end takes it away.
    fileprivate func begin() { timer.activate() }

    /// Has the answer come now, whatever the room is; if it has come already, does nothing.
    public func end() {
        guard let handler = handler.withLock({ $0.take() }) else { return }
        timer.cancel()
        handler(self)
    }

    public func roomChanged(_ news: News) { end() }

    public func roomEnded() { end() }
}
