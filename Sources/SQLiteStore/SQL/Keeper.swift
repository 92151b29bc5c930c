internal import Synchronization
internal import UseCases

/// Lets one caller at a time use a connection, opens it when it is first needed, and throws it away after a failure: what a connection
/// believes after a failed write or sync must not be built upon. So a store heals by itself as soon as its disk does.
///
/// Callers have it in the order in which they came, so that none waits for more than one turn of each other: the mutex is handed over
/// (FUTEX_LOCK_PI, futex(2)), and whoever has just had it and wants it again is behind those who wait.
final class Keeper: Sendable {
    private struct State {
        var connection: Connection?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let open: @Sendable () throws(StoreError) -> sending Connection

    init(_ open: @escaping @Sendable () throws(StoreError) -> sending Connection) {
        self.open = open
    }

    /// - Parameter failed: run after a failure, before the connection is closed and before the next caller is let in.
    func use<Value: Sendable>(
        failed: () -> Void = {}, _ body: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try state.withLock { state throws(StoreError) in
            guard !state.isClosed else { throw StoreError("the database is closed") }
            let connection: Connection
            if let kept = state.connection {
                connection = kept
            } else {
                connection = try open()
                state.connection = connection
            }
            do throws(StoreError) { return try body(connection) } catch {
                // Where another process was in the way nothing was begun, so there is nothing to doubt.
                guard !connection.isBusy else { throw error }
                failed()
                state.connection = nil
                throw error
            }
        }
    }

    /// Closes the connection; the next use opens another.
    func drop() { state.withLock { $0.connection = nil } }

    /// Closes the connection for good.
    func close() {
        state.withLock {
            $0.connection = nil
            $0.isClosed = true
        }
    }
}
