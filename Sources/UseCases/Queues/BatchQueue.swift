import Dispatch
import Synchronization

/// What waits to be worked on, in batches, one at a time on a serial queue. A batch forms by itself while the one before is worked on;
/// nothing ever waits to fill one.
final class BatchQueue<Element: Sendable>: Sendable {
    /// Gets a batch, in the order in which its elements came. Called on the queue, which goes on when it returns.
    typealias Work = @Sendable ([Element]) -> Void

    private struct State {
        var waiting: [Element] = []
        var parked = 0
        var isDraining = false
        var isClosed = false

        var count: Int { waiting.count + parked }
    }

    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let capacity: Int
    private let batchSize: Int

    /// - Parameters:
    ///   - capacity: elements that may wait or be parked, those that are being worked on aside.
    ///   - batchSize: elements of a batch, at most.
    init(_ label: String, capacity: Int, batchSize: Int) {
        queue = DispatchQueue(label: label)
        self.capacity = capacity
        self.batchSize = batchSize
    }

    /// - Parameter work: always the same. It is let go of when nothing waits any more, so it may hold whom the queue belongs to.
    /// - Returns: false where as many wait as may, or the queue is closed; then the element is not taken.
    func add(_ element: Element, work: @escaping Work) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.count < capacity else { return false }
            put([element], in: &state, work)
            return true
        }
    }

    /// So many that were worked on wait for something else now, and count until they are added again.
    func park(_ count: Int) { state.withLock { $0.parked += count } }

    /// Adds what was let in before, so that no bound stands in its way.
    ///
    /// - Parameter parked: how many are parked no longer.
    /// - Returns: false where the queue is closed; then none is taken.
    func add(again elements: [Element], unparking parked: Int = 0, work: @escaping Work) -> Bool {
        state.withLock { state in
            state.parked -= parked
            if !state.isClosed { put(elements, in: &state, work) }
            return !state.isClosed
        }
    }

    private func put(_ elements: [Element], in state: inout State, _ work: @escaping Work) {
        state.waiting += elements
        guard !state.isDraining, !state.waiting.isEmpty else { return }
        state.isDraining = true
        queue.async { self.drain(work) }
    }

    /// Runs `work` between two batches.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Takes nothing more, has what waits worked on, then calls `completion` on the queue.
    func close(then completion: @escaping @Sendable () -> Void) {
        state.withLock { $0.isClosed = true }
        awaitEmpty(completion)
    }

    /// Elements of which no batch has been made yet, and those that are parked.
    var count: Int { state.withLock(\.count) }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Has one batch worked on, then queues up again behind whatever else waits for the queue.
    private func drain(_ work: @escaping Work) {
        dispatchPrecondition(condition: .onQueue(queue))
        let batch = state.withLock { state in
            let batch = Array(state.waiting.prefix(batchSize))
            state.waiting.removeFirst(batch.count)
            return batch
        }
        work(batch)
        state.withLock { state in
            state.isDraining = !state.waiting.isEmpty
            if state.isDraining { queue.async { self.drain(work) } }
        }
    }

    private func awaitEmpty(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if state.withLock(\.isDraining) { awaitEmpty(completion) } else { completion() }
        }
    }
}
