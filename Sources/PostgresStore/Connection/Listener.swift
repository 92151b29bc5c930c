internal import CPostgres
internal import Dispatch
internal import Glibc
internal import UseCases

/// Hears on a connection of its own what is announced on a channel, says so when it hears nothing any more, and connects again.
///
/// `@unchecked Sendable` because it is told from several queues. All it has belongs to `queue`, which every way in checks.
final class Listener: @unchecked Sendable {
    enum News {
        case announcement(String)
        /// From now on nothing is heard.
        case silent
        /// From now on all is heard again.
        case resumed
    }

    private let queue = DispatchQueue(label: "hansang.postgres.listener")
    /// Where connections are made, which may take seconds.
    private let connecting = DispatchQueue(label: "hansang.postgres.listener.connect")
    private let limits: TimeLimits
    private let open: @Sendable () throws(StoreError) -> Connection
    /// Called with every beat, and as soon as the connection is lost: others may be, too.
    private let lookAround: @Sendable () -> Void
    private var connection: Connection?
    private var source: (any DispatchSourceRead)?
    private let timer: any DispatchSourceTimer
    private var tell: (@Sendable (News) -> Void)?
    /// Whether a sign of life was asked for and has not come.
    private var awaitsBeat = false
    private var isClosed = false

    /// Listens when it returns, to what nobody is told of until `listen` is called.
    ///
    /// - Parameter open: connects, and listens.
    init(
        limits: TimeLimits, open: @escaping @Sendable () throws(StoreError) -> Connection, lookAround: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        self.limits = limits
        self.open = open
        self.lookAround = lookAround
        let connection = try open()
        timer = DispatchSource.makeTimerSource(queue: queue)
        queue.sync { _ = attach(connection) }
        timer.setEventHandler { [weak self] in self?.beat() }
        timer.schedule(deadline: .now() + limits.heartbeat.interval, repeating: limits.heartbeat.interval)
        timer.activate()
    }

    deinit {
        timer.cancel()
        source?.cancel()
    }

    /// Has `listener` told from now on, on the queue, and at once if nothing is heard just now.
    func listen(_ listener: @escaping @Sendable (News) -> Void) {
        queue.sync {
            tell = listener
            if connection == nil { queue.async { listener(.silent) } }
        }
    }

    /// Tells nothing more.
    func close() {
        queue.sync {
            isClosed = true
            tell = nil
            timer.cancel()
            detach()
        }
    }

    /// - Returns: whether it can be listened to: not where there is no descriptor left.
    private func attach(_ connection: Connection) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        // A copy of the descriptor, so that it is there until the source is done with it, whenever libpq closes its own.
        let descriptor = fcntl(PQsocket(connection.handle), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return false }
        self.connection = connection
        awaitsBeat = false
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { Glibc.close(descriptor) }
        source.activate()
        self.source = source
        // What came with the answer to LISTEN makes no descriptor readable any more.
        queue.async { [weak self] in self?.read() }
        return true
    }

    private func detach() {
        source?.cancel()
        source = nil
        connection = nil
    }

    private func read() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard let connection else { return }
        guard PQconsumeInput(connection.handle) == 1 else { return lose() }
        while let announcement = PQnotifies(connection.handle) {
            let text = String(cString: announcement.pointee.extra)
            PQfreemem(announcement)
            tell?(.announcement(text))
        }
        while awaitsBeat, PQisBusy(connection.handle) == 0 {
            guard let result = PQgetResult(connection.handle) else {
                awaitsBeat = false
                break
            }
            PQclear(result)
        }
        if PQstatus(connection.handle) != CONNECTION_OK { lose() }
    }

    /// A network that is gone without a word looks like one on which nothing happens.
    private func beat() {
        dispatchPrecondition(condition: .onQueue(queue))
        lookAround()
        guard let connection else { return }
        guard connection.leadsToPrimary, !awaitsBeat, PQsendQuery(connection.handle, "SELECT 1") == 1, PQflush(connection.handle) >= 0
        else { return lose() }
        awaitsBeat = true
    }

    private func lose() {
        connection?.abandon()
        detach()
        tell?(.silent)
        lookAround()
        connect(pause: nil)
    }

    private func connect(pause: Duration?) {
        guard !isClosed else { return }
        connecting.async { [weak self, open] in
            let connection = try? open()
            guard let self else { return }
            queue.async { self.connected(connection, pause: pause) }
        }
    }

    private func connected(_ connection: Connection?, pause: Duration?) {
        guard !isClosed else { return }
        if let connection, attach(connection) {
            tell?(.resumed)
        } else {
            let pause = min(pause.map { $0 * 2 } ?? limits.retry.lowerBound, limits.retry.upperBound)
            queue.asyncAfter(deadline: .now() + pause.interval) { [weak self] in self?.connect(pause: pause) }
        }
    }
}
