internal import Dispatch
internal import Synchronization
internal import UseCases

/// Lets one caller at a time use a connection. Once that is lost or in doubt it is thrown away and another is made in the background, until
/// one stands again; whoever calls meanwhile is refused at once and does not wait.
final class Keeper: Sendable {
    private struct State {
        var connection: Connection?
        /// Why there is none.
        var reason = StoreError("PostgreSQL: the connection was closed")
        var isClosed = false
    }

    private let state: Mutex<State>
    /// Where connections are made, which may take seconds.
    private let queue: DispatchQueue
    private let retry: ClosedRange<Duration>
    private let open: @Sendable () throws(StoreError) -> Connection

    /// Makes the first connection before it returns.
    init(_ name: String, retry: ClosedRange<Duration>, open: @escaping @Sendable () throws(StoreError) -> Connection) throws(StoreError) {
        queue = DispatchQueue(label: "hansang.postgres.\(name)")
        self.retry = retry
        self.open = open
        state = Mutex(State(connection: try open()))
    }

    /// - Throws: also where there is no connection just now.
    func use<Value: Sendable>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value {
        try state.withLock { state throws(StoreError) in
            if let connection = state.connection, !connection.leadsToPrimary {
                state.reason = StoreError("PostgreSQL: another server takes writes now")
                check(connection, &state)
            }
            guard let connection = state.connection else { throw state.reason }
            defer { check(connection, &state) }
            do throws(StoreError) { return try body(connection) } catch {
                if !connection.isUsable { state.reason = error }
                throw error
            }
        }
    }

    /// Finds out about a connection that nobody uses whether it still stands, so that it need not be the next caller who does.
    func inspect() {
        state.withLockIfAvailable { state in
            guard let connection = state.connection else { return }
            connection.inspect()
            check(connection, &state)
        }
    }

    /// Closes the connection for good.
    func close() {
        state.withLock { state in
            state.connection = nil
            state.isClosed = true
            state.reason = StoreError("PostgreSQL: the store is closed")
        }
    }

    private func check(_ connection: Connection, _ state: inout State) {
        guard !connection.isUsable, !state.isClosed else { return }
        state.connection = nil
        queue.async { [weak self] in self?.connect(pause: nil) }
    }

    private func connect(pause: Duration?) {
        guard !state.withLock(\.isClosed) else { return }
        do throws(StoreError) {
            let connection = try open()
            state.withLock { state in
                if !state.isClosed { state.connection = connection }
            }
        } catch {
            state.withLock { state in
                if !state.isClosed { state.reason = error }
            }
            let pause = min(pause.map { $0 * 2 } ?? retry.lowerBound, retry.upperBound)
            queue.asyncAfter(deadline: .now() + pause.interval) { [weak self] in self?.connect(pause: pause) }
        }
    }
}
