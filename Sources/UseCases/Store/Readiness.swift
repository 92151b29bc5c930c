import Synchronization

/// Whether the store could be written a moment ago. Trying costs a durable write, so whoever asks too often is told what was found last.
final class Readiness: Sendable {
    private struct Finding {
        let isWritable: Bool
        let at: ContinuousClock.Instant
    }

    private let last = Mutex<Finding?>(nil)

    func check(_ store: any RoomStore) -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            if let last, now - last.at < Bounds.readinessValidity { return last.isWritable }
            let isWritable = store.isWritable()
            last = Finding(isWritable: isWritable, at: now)
            return isWritable
        }
    }
}
