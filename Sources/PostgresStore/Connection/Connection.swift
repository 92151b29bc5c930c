internal import CPostgres
internal import Glibc
internal import Synchronization
internal import UseCases

/// A connection to the server, with the statements that are prepared there.
///
/// `@unchecked Sendable` because it is made on one queue and used on others. It belongs to one `Keeper`, which lets in one caller at a
/// time, or to one `Listener`, on whose queue it is used; `exchange` checks that there is no second caller.
final class Connection: @unchecked Sendable {
    let handle: OpaquePointer
    /// Names of the prepared statements.
    var prepared: [SQL.Form: String] = [:]
    var statementCounter = 0
    let isBusy = Atomic(false)
    /// Whether it must not be used any more: it is lost, or nobody knows what will still come.
    private(set) var isBroken = false {
        didSet { primary?.lost(self) }
    }
    /// Warnings that the server gave so far. They are no errors, and a commit that is not replicated is one of them.
    private(set) var warnings = 0
    /// How often the server was waited for.
    private(set) var roundTrips = 0
    let uri: DatabaseURI
    /// Tells the server from others, whichever way leads to it.
    var server = ""
    /// Where it has to lead; `nil` where that is all the same.
    var primary: Primary?

    /// Connects; takes as long as libpq does for all hosts.
    ///
    /// - Parameter host: the only one that is tried; `nil` for all of the address.
    /// - Throws: why no host would do.
    init(_ uri: DatabaseURI, at host: DatabaseURI.Host? = nil) throws(StoreError) {
        guard let handle = uri.start(at: host) else { throw StoreError("PostgreSQL: out of memory") }
        self.handle = handle
        self.uri = uri
        // Without details, for those quote rows.
        _ = PQsetErrorVerbosity(handle, PQERRORS_TERSE)
        PQsetNoticeReceiver(handle, { context, notice in Connection.notice(context, notice) }, Unmanaged.passUnretained(self).toOpaque())
        // Begun anew by the one call that minds `connect_timeout`, with notices that are not printed: what is told of them above stays.
        // What has failed by now cannot be begun.
        if PQstatus(handle) != CONNECTION_BAD { PQreset(handle) }
        guard PQstatus(handle) == CONNECTION_OK, PQsetnonblocking(handle, 1) == 0 else {
            throw StoreError("\(uri): \(uri.redact(String(cString: PQerrorMessage(handle))))")
        }
    }

    /// Connects to where others already are, and to whichever host takes writes where that does not work.
    convenience init(_ uri: DatabaseURI, behind primary: Primary) throws(StoreError) {
        if let host = primary.host {
            do throws(StoreError) { try self.init(uri, at: host) } catch { try self.init(uri) }
        } else {
            try self.init(uri)
        }
    }

    deinit { PQfinish(handle) }

    /// Where it leads.
    var host: DatabaseURI.Host? {
        guard let name = PQhost(handle), let port = PQport(handle) else { return nil }
        return DatabaseURI.Host(name: String(cString: name), port: String(cString: port))
    }

    private static func notice(_ context: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
        guard let context, let severity = PQresultErrorField(notice, Int32(UInt8(ascii: "V"))), String(cString: severity) == "WARNING"
        else {
            return
        }
        Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().warnings += 1
    }

    /// Whether it can be used for the next call: it stands, leads to where the others do, and no transaction has failed on it that is still
    /// open.
    var isUsable: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK && (isIdle || isInTransaction) && leadsToPrimary }

    var leadsToPrimary: Bool { primary?.isBehind(self) ?? true }

    /// Whether a transaction is open in which statements can be run.
    var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

    /// Whether no transaction is open.
    var isIdle: Bool { PQtransactionStatus(handle) == PQTRANS_IDLE }

    func countRoundTrip() { roundTrips += 1 }

    /// Marks it as one not to be used again.
    ///
    /// - Returns: why.
    @discardableResult
    func abandon(_ reason: String? = nil) -> StoreError {
        isBroken = true
        // Behind the first line libpq guesses at causes.
        return StoreError("PostgreSQL: \(reason ?? uri.redact(String(String(cString: PQerrorMessage(handle)).prefix { $0 != "\n" })))")
    }

    /// Looks, without waiting, whether the server has ended it.
    func inspect() {
        var watched = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 0) != 0, PQconsumeInput(handle) == 0 || PQstatus(handle) != CONNECTION_OK else { return }
        isBroken = true
    }

    /// How often whoever waits looks whether it is still worth while.
    private static let glance = Duration.milliseconds(100)

    /// Waits for something to read, and where there is still something to send, for room for that.
    ///
    /// - Throws: also where another server has taken the place of this one meanwhile, for that may hang and not be dead.
    func wait(toSend: Bool, until deadline: ContinuousClock.Instant) throws(StoreError) {
        var watched = pollfd(fd: PQsocket(handle), events: Int16(toSend ? POLLIN | POLLOUT : POLLIN), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw abandon("no answer in time") }
            guard leadsToPrimary else { throw abandon("another server takes writes now") }
            let count = poll(&watched, 1, Int32(clamping: min(left, Self.glance).milliseconds + 1))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw abandon("poll: error \(errno)") }
        }
    }
}
