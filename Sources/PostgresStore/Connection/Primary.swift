internal import Synchronization

/// The server that the newest of a store's connections leads to.
///
/// Once one has found its way to another server, those to the one before are not used any more: that may be alive and cut off from all
/// others, and would go on to answer as if nothing had happened.
final class Primary: Sendable {
    private let server = Mutex("")

    /// Takes note of where a new connection leads.
    func follow(_ connection: Connection) {
        server.withLock { $0 = connection.server }
        connection.primary = self
    }

    func isBehind(_ connection: Connection) -> Bool { server.withLock { $0 == connection.server } }
}
