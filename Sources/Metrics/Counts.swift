import Synchronization

/// A row of whole numbers that any thread adds to without waiting: one atomic addition and nothing else.
///
/// `@unchecked Sendable` because an array cannot hold atomics and a pointer is not `Sendable`; it is set once, and what it points to is
/// touched only by atomic operations.
public final class Counts: @unchecked Sendable {
    public let count: Int
    private let values: UnsafeMutablePointer<Atomic<Int>>

    /// - Parameter count: at least 1.
    public init(_ count: Int) {
        self.count = max(1, count)
        values = .allocate(capacity: self.count)
        for index in 0..<self.count { (values + index).initialize(to: Atomic(0)) }
    }

    deinit {
        values.deinitialize(count: count)
        values.deallocate()
    }

    /// Adds to the number at `index`; there is none outside of the row, and to add there does nothing.
    public func add(_ amount: Int = 1, at index: Int = 0) {
        guard index >= 0, index < count else { return }
        values[index].wrappingAdd(amount, ordering: .relaxed)
    }

    public subscript(index: Int) -> Int {
        guard index >= 0, index < count else { return 0 }
        return values[index].load(ordering: .relaxed)
    }
}
