import Synchronization

/// A truth value that several queues look at.
final class Flag: Sendable {
    private let value: Atomic<Bool>

    init(_ value: Bool) { self.value = Atomic(value) }

    var isSet: Bool { value.load(ordering: .acquiring) }

    func set(_ value: Bool) { self.value.store(value, ordering: .releasing) }
}
