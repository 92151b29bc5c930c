import Synchronization

/// How many connections there may be, counted for all loops together: a share for each would make clients wait at a full loop while
/// another has room.
final class Capacity: Sendable {
    let limit: Int
    private let count = Atomic(0)
    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let areWaiting = Atomic(false)

    init(_ limit: Int) { self.limit = max(1, limit) }

    /// Places that are taken.
    var taken: Int { min(limit, count.load(ordering: .relaxed)) }

    /// Takes a place; false when there is none.
    func take() -> Bool {
        if count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue <= limit { return true }
        release()
        return false
    }

    func release() {
        count.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        if areWaiting.load(ordering: .sequentiallyConsistent) { tellWaiting() }
    }

    /// Calls `resume` once when there may be a place.
    func wait(_ resume: @escaping @Sendable () -> Void) {
        waiting.withLock {
            $0.append(resume)
            areWaiting.store(true, ordering: .sequentiallyConsistent)
        }
        // One may have become free just before.
        if count.load(ordering: .sequentiallyConsistent) < limit { tellWaiting() }
    }

    private func tellWaiting() {
        guard count.load(ordering: .sequentiallyConsistent) < limit else { return }
        let waiting = waiting.withLock { waiting in
            areWaiting.store(false, ordering: .sequentiallyConsistent)
            defer { waiting = [] }
            return waiting
        }
        for resume in waiting { resume() }
    }
}
