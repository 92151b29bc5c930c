import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("A queue that is worked through in batches", .timeLimit(.minutes(1))) struct BatchQueueTests {
    /// Takes as long for a batch as it is let.
    private final class Worker: Sendable {
        private let begun = Mutex<[[Int]]>([])
        private let gate = DispatchSemaphore(value: 0)

        var batches: [[Int]] { begun.withLock(\.self) }

        func work(_ batch: [Int]) {
            begun.withLock { $0.append(batch) }
            gate.wait()
        }

        /// Lets so many batches be done.
        func open(_ count: Int) { for _ in 0..<count { gate.signal() } }
    }

    private let worker = Worker()

    private func add(_ numbers: some Sequence<Int>, to queue: BatchQueue<Int>) -> [Bool] {
        numbers.map { queue.add($0) { [worker] in worker.work($0) } }
    }

    private func addAgain(_ numbers: [Int], to queue: BatchQueue<Int>, unparking count: Int) -> Bool {
        queue.add(again: numbers, unparking: count) { [worker] in worker.work($0) }
    }

    /// A queue that has the first element worked on, alone.
    private func begun(capacity: Int = 100, batchSize: Int = 100) async throws -> BatchQueue<Int> {
        let queue = BatchQueue<Int>("test", capacity: capacity, batchSize: batchSize)
        #expect(add([0], to: queue) == [true])
        #expect(try await eventually { worker.batches == [[0]] })
        return queue
    }

    @Test("has what came meanwhile done at once, in the order in which it came") func together() async throws {
        let queue = try await begun()
        #expect(!add(1...5, to: queue).contains(false))
        #expect(queue.count == 5)
        worker.open(2)
        #expect(try await eventually { worker.batches.count == 2 })
        #expect(worker.batches == [[0], [1, 2, 3, 4, 5]])
        #expect(queue.count == 0)
    }

    @Test("has no more done at once than fit into a batch, and the rest right behind") func size() async throws {
        let queue = try await begun(batchSize: 2)
        #expect(!add(1...5, to: queue).contains(false))
        worker.open(4)
        #expect(try await eventually { worker.batches == [[0], [1, 2], [3, 4], [5]] })
    }

    @Test("counts what is parked as waiting, and takes that again though no more may wait") func parked() async throws {
        let queue = try await begun(capacity: 2)
        queue.park(2)
        #expect(add(1...1, to: queue) == [false])
        #expect(queue.count == 2)
        #expect(addAgain([7, 8], to: queue, unparking: 1))
        #expect(add(1...1, to: queue) == [false])
        #expect(addAgain([], to: queue, unparking: 1))
        worker.open(2)
        #expect(try await eventually { worker.batches == [[0], [7, 8]] && queue.count == 0 })
        await withCheckedContinuation { done in queue.close { done.resume() } }
        #expect(!addAgain([9], to: queue, unparking: 0))
    }

    @Test("takes no more than may wait, whatever is being worked on, and takes again when there is room") func full() async throws {
        let queue = try await begun(capacity: 3)
        #expect(add(1...5, to: queue) == [true, true, true, false, false])
        worker.open(1)
        #expect(try await eventually { worker.batches.count == 2 })
        #expect(add([6], to: queue) == [true])
        worker.open(2)
        #expect(try await eventually { worker.batches == [[0], [1, 2, 3], [6]] })
    }

    @Test("lets other work in between two batches, however many there are") func between() async throws {
        let queue = try await begun(batchSize: 1)
        #expect(!add(1...3, to: queue).contains(false))
        let seen = Mutex<Int?>(nil)
        // It is behind the batch that runs, which queues up again behind it.
        queue.perform { [worker] in seen.withLock { $0 = worker.batches.count } }
        worker.open(4)
        #expect(try await eventually { worker.batches.count == 4 })
        #expect(seen.withLock(\.self) == 1)
    }

    @Test("takes nothing when it is closed, and is closed when all that waited is done") func close() async throws {
        let queue = try await begun(batchSize: 1)
        #expect(!add(1...3, to: queue).contains(false))
        let done = Mutex<Int?>(nil)
        queue.close { [worker] in done.withLock { $0 = worker.batches.count } }
        #expect(queue.isClosed)
        #expect(add([4], to: queue) == [false])
        #expect(done.withLock(\.self) == nil)
        worker.open(4)
        #expect(try await eventually { done.withLock(\.self) != nil })
        #expect(done.withLock(\.self) == 4)
        #expect(worker.batches == [[0], [1], [2], [3]])
    }

    @Test("keeps whoever works on it only as long as something waits") func lifetime() async throws {
        final class Owner: Sendable {
            let queue = BatchQueue<Int>("test", capacity: 1, batchSize: 1)
            let worker: Worker

            init(_ worker: Worker) { self.worker = worker }

            func add(_ number: Int) -> Bool { queue.add(number) { self.worker.work($0) } }
        }
        weak var owner: Owner?
        do {
            let first = Owner(worker)
            owner = first
            #expect(first.add(1))
        }
        #expect(try await eventually { worker.batches == [[1]] })
        #expect(owner != nil)
        worker.open(1)
        #expect(try await eventually { owner == nil })
    }
}
