import Dispatch
import Synchronization

/// Work that is done away from the event loops and from the writer, of which only so much may wait.
final class BoundedQueue: Sendable {
    let queue: DispatchQueue
    /// What was taken and is not done yet.
    let waiting = Atomic(0)
    private let capacity: Int

    /// - Parameter attributes: `.concurrent` for what computes and never blocks: Dispatch then runs as many as there are cores.
    init(_ label: String, attributes: DispatchQueue.Attributes = [], capacity: Int) {
        queue = DispatchQueue(label: label, attributes: attributes)
        self.capacity = capacity
    }

    /// - Returns: whether there is room for it.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= capacity else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        queue.async { [self] in
            defer { waiting.wrappingSubtract(1, ordering: .relaxed) }
            work()
        }
        return true
    }
}
