import Dispatch
import Foundation
import Synchronization
public import Testing

/// Has the tests of a suite run on threads of their own, since they block: all others share as many threads as there are cores, and would
/// have to wait for them.
public struct BlockingTests: SuiteTrait, TestTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Threads.few, operation: function)
    }
}

extension Trait where Self == BlockingTests {
    public static var blocks: BlockingTests { BlockingTests() }
}

/// Begins with `body`, which may block, on a thread of its own, however many tests there are that have to be waited for.
public func begin<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> Task<Value, any Error> {
    Task(executorPreference: Threads.few) { try await onOwnThread(body) }
}

/// A few threads that tasks prefer to the shared ones.
private final class Threads: TaskExecutor {
    static let few = Threads(8)

    private let jobs = Mutex<[UnownedJob]>([])
    private let ready = DispatchSemaphore(value: 0)

    private init(_ count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.work() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        ready.signal()
    }

    private func work() {
        Thread.current.name = "blocking"
        while true {
            ready.wait()
            let job = jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
