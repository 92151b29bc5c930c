import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("A queue on which only so much may wait", .timeLimit(.minutes(1))) struct BoundedQueueTests {
    @Test("turns away what is too much, and takes again what there is room for") func full() async throws {
        let queue = BoundedQueue("test", capacity: 2)
        let done = Mutex<[Int]>([])
        func submit(_ number: Int) -> Bool { queue.submit { done.withLock { $0.append(number) } } }
        queue.queue.suspend()
        #expect([submit(1), submit(2), submit(3)] == [true, true, false])
        #expect(queue.waiting.load(ordering: .relaxed) == 2)
        queue.queue.resume()
        #expect(try await eventually { queue.waiting.load(ordering: .relaxed) == 0 })
        #expect(submit(4))
        #expect(try await eventually { done.withLock(\.self) == [1, 2, 4] })
    }
}
