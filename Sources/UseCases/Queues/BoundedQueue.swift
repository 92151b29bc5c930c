import Dispatch
import Synchronization

/// Where recommendations are computed: away from the event loops and from the writer, so that a large group's reveal delays nobody else.
final class ComputeQueue: Sendable {
    /// Concurrent, for its work computes and never blocks: Dispatch then runs as many as there are cores.
    let queue = DispatchQueue(label: "hansang.compute", attributes: .concurrent)
    let waiting = Atomic(0)

    /// - Returns: whether there is room for it.
    func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Bounds.waitingComputations else {
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
