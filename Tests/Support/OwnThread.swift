import Foundation
import Synchronization

/// Runs `body`, which may block, on a thread of its own.
///
/// Tests share few threads, so one that blocks would hold up the others; and those of Dispatch are left to the server under test.
public func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    let box = Mutex<(@Sendable () throws -> Value)?>(body)
    return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            // Whatever `body` holds on to is let go of here and not some time after the test is over.
            let result = Result { try box.withLock { $0.take() }?() }
            continuation.resume(with: result.flatMap { $0.map(Result.success) ?? .failure(CancellationError()) })
        }
    }
}

/// Runs `body` for each of `numbers` at the same time, each on a thread of its own, and returns what they return in order.
public func atOnce<Value: Sendable>(
    _ numbers: Range<Int>, _ body: @escaping @Sendable (Int) throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for number in numbers {
            group.addTask { (number, try await onOwnThread { try body(number) }) }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
