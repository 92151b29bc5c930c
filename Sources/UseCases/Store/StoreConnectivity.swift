import Synchronization

/// Whether the store answers.
final class StoreConnectivity: Sendable {
    private let isLost = Atomic(false)

    /// It has answered.
    func restore() { isLost.store(false, ordering: .relaxed) }

    /// It has not answered.
    ///
    /// - Returns: whether it is the first to find out, so that it is worth waiting a little.
    func lose() -> Bool { !isLost.exchange(true, ordering: .relaxed) }
}
