internal import Glibc
internal import UseCases

/// Keeps a second server off a database: a lock on a file beside it, which goes with the process whatever becomes of it.
///
/// SQLite's own locks could not: they come and go with each transaction, or shut out backups and `sqlite3` too. The file stays when the
/// lock is given up; to remove it would let two servers lock two files of one name.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameter patience: how long to wait for another process to give it up.
    init(besides path: String, patience: Duration = .zero) throws(StoreError) {
        let name = path + ".lock"
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, "the database's lock \(name)") }
        // flock(2) waits for ever or not at all.
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            if code == EWOULDBLOCK, ContinuousClock.now < end {
                usleep(2000)
                continue
            }
            Glibc.close(descriptor)
            throw code == EWOULDBLOCK ? .inUse(path) : StoreError(errno: code, "the database's lock \(name)")
        }
    }

    deinit {
        // To close it would not do: a child process that is just being started has a copy, and with it the lock, until it runs.
        flock(descriptor, LOCK_UN)
        Glibc.close(descriptor)
    }
}

extension StoreError {
    static func inUse(_ path: String) -> StoreError { StoreError("the database \(path) is in use by another process") }
}
