internal import CSQLite
internal import Glibc
public import UseCases

/// Copies of a database, taken while a server may be using it.
public enum SQLiteCopy {
    /// Copies the database at `source`, as of one moment, to a new file that only its owner may read; when this returns it is on disk.
    ///
    /// By SQLite's online backup: nobody waits for it, and commits that come meanwhile are in it or are not. Where it fails there is no
    /// new file.
    ///
    /// - Throws: where `source` is no database of this program or of a newer version of it, or `destination` exists or cannot be written.
    public static func make(of source: String, at destination: String) throws(StoreError) {
        try make(of: source, at: destination) { _ throws(StoreError) in }
    }

    /// Makes a database of a copy, to take the place of the one that it was made of.
    ///
    /// What happened there after the copy was made is lost, but clients have seen it, and of two states of a room they believe the one
    /// with the higher sequence. So every room goes on with sequences, revisions and members' numbers that were not given out by then.
    ///
    /// - Throws: as `make(of:at:)`.
    public static func restore(_ copy: String, at destination: String) throws(StoreError) {
        try make(of: copy, at: destination) { restored throws(StoreError) in
            try restored.run(
                """
                UPDATE room SET
                  sequence = sequence + \(lostEvents), last_submission = last_submission + \(lostEvents),
                  last_member = last_member + \(lostMembers)
                """)
        }
    }

    /// Far more than happen in a room, and than join it, in its life.
    private static let lostEvents = 1_000_000_000
    private static let lostMembers = 100_000

    private static func make(
        of source: String, at destination: String, _ finish: (Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard access(source, F_OK) == 0 else { throw StoreError(errno: errno, "the database \(source)") }
        let from = try Connection(path: source, busyTimeout: 10_000)
        try from.run(script: "PRAGMA query_only = ON")
        do throws(StoreError) { try from.identify(source) } catch {
            throw from.isNoDatabase ? StoreError("\(source) is no database") : error
        }
        let descriptor = open(destination, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, "the copy \(destination)") }
        close(descriptor)
        do throws(StoreError) {
            let to = try Connection(path: destination, busyTimeout: 0)
            try to.run(script: "PRAGMA synchronous = FULL")
            try to.replace(by: from)
            // In the copied database the log is still a write-ahead one, which comes into being as soon as it is used.
            guard try to.first("PRAGMA quick_check(1)", { $0.text() }) == "ok" else {
                throw StoreError("the copy \(destination) is damaged")
            }
            try finish(to)
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(destination + suffix) }
            throw error
        }
    }
}

extension Connection {
    /// Replaces all of this database by another's.
    fileprivate func replace(by other: Connection) throws(StoreError) {
        try withHandles(of: other) { own, others throws(StoreError) in
            guard let backup = sqlite3_backup_init(own, "main", others, "main") else { throw StoreError(sqlite: own) }
            // All at once: in a write-ahead log readers hold up nobody.
            let stepped = sqlite3_backup_step(backup, -1)
            let finished = sqlite3_backup_finish(backup)
            guard stepped == SQLITE_DONE, finished == SQLITE_OK else { throw StoreError(sqlite: own) }
        }
    }
}
