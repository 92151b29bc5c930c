internal import Synchronization

/// The server that the newest of a store's connections leads to.
///
/// Once one has found its way to another server, those to the one before are not used any more: that may be alive and cut off from all
/// others, and would go on to answer as if nothing had happened.
final class Primary: Sendable {
    private struct Place {
        var server = ""
        /// The way to it, as long as no connection to it has been lost.
        var host: DatabaseURI.Host?
    }

    private let place = Mutex(Place())

    /// Where a new connection is to be tried first: the host before it in the address may hang, and costs seconds.
    var host: DatabaseURI.Host? { place.withLock(\.host) }

    /// Takes note of where a new connection leads.
    func follow(_ connection: Connection) {
        place.withLock { $0 = Place(server: connection.server, host: connection.host) }
        connection.primary = self
    }

    /// Takes note that a connection is done with.
    func lost(_ connection: Connection) {
        place.withLock { place in
            if place.server == connection.server { place.host = nil }
        }
    }

    func isBehind(_ connection: Connection) -> Bool { place.withLock { $0.server == connection.server } }
}
