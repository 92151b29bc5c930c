import Synchronization

/// Whether the store could be written a moment ago. Trying costs a durable write, so whoever asks too often is told what was found last.
final class Readiness: Sendable {
    private struct Finding {
        let isWritable: Bool
        let at: ContinuousClock.Instant
    }

    private let last = Mutex<Finding?>(nil)
    private let validity = Duration.seconds(1)

    func check(_ store: any RoomStore) -> Bool {
        let now = ContinuousClock.now
        return last.withLock { last in
            if let last, now - last.at < validity { return last.isWritable }
            let isWritable = store.isWritable()
            last = Finding(isWritable: isWritable, at: now)
            return isWritable
        }
    }
}
