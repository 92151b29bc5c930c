internal import CSQLite
internal import Glibc
public import MenuGame
public import UseCases

/// Copies of a database, taken while a server may be using it.
public enum SQLiteCopy {
    /// Copies the database at `source`, as of one moment, to a new file that only its owner may read; when this returns it is on disk.
    ///
    /// By SQLite's online backup: nobody waits for it, and commits that come meanwhile are in it or are not. It has its name only once all
    /// of it is there; where it fails, or is killed, nothing has that name.
    ///
    /// - Parameters:
    ///   - keyFingerprint: of the key that the members in it have to be known under.
    ///   - last: what else has to be there before it has its name.
    /// - Throws: where `source` is no database of this program or of a newer version of it or is known under another key, or where
    ///   `destination` or a log beside it exists or cannot be written.
    public static func make(
        of source: String, at destination: String, keyFingerprint: [UInt8]?, last: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try make(of: source, at: destination, keyFingerprint, { _ throws(StoreError) in }, last)
    }

    /// Makes a database of a copy, to take the place of the one that it was made of. No server can use that meanwhile.
    ///
    /// What happened there after the copy was made is lost, but clients have seen it, and of two states of a room they believe the one
    /// with the higher sequence. So every room goes on with sequences, revisions and members' numbers that were not given out by then, nor
    /// after a copy was restored earlier: no room has a thousand events in every second of its life.
    ///
    /// - Parameter now: later than in any restore before.
    /// - Throws: as `make`, and where a server uses `destination`.
    public static func restore(
        _ copy: String, at destination: String, keyFingerprint: [UInt8]?, now: Instant, last: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let lock = try FileLock(besides: destination)
        try make(
            of: copy, at: destination, keyFingerprint,
            { restored throws(StoreError) in
                try restored.run(
                    """
                    UPDATE room SET
                      sequence = max(sequence + \(lostEvents), \(now)), last_submission = max(last_submission + \(lostEvents), \(now)),
                      last_member = max(last_member + \(lostEvents), \(now))
                    """)
            }, last)
        withExtendedLifetime(lock) {}
    }

    /// More than happen in a room in its life.
    private static let lostEvents = 1_000_000

    private static func make(
        of source: String, at destination: String, _ keyFingerprint: [UInt8]?, _ finish: (Connection) throws(StoreError) -> Void,
        _ last: () throws(StoreError) -> Void
    ) throws(StoreError) {
        guard access(source, F_OK) == 0 else { throw StoreError(errno: errno, "the database \(source)") }
        // A log without its database may be all that is left of what was acknowledged, and SQLite would take it for the new one's.
        for name in files(of: destination) where access(name, F_OK) == 0 { throw StoreError("\(name) is there already") }
        let unfinished = "\(destination).\(UInt64.random(in: .min ... .max))"
        defer { for name in files(of: unfinished) { unlink(name) } }
        try copy(source, to: unfinished, keyFingerprint, finish)
        try last()
        // Unlike rename(2), link(2) replaces nothing; but not every file system has it.
        if link(unfinished, destination) == 0 { return }
        guard [EPERM, ENOTSUP, ENOSYS].contains(errno), access(destination, F_OK) != 0, rename(unfinished, destination) == 0 else {
            throw StoreError(errno: errno, "the copy \(destination)")
        }
    }

    private static func copy(
        _ source: String, to unfinished: String, _ keyFingerprint: [UInt8]?, _ finish: (Connection) throws(StoreError) -> Void
    ) throws(StoreError) {
        let from = try Connection(path: source, busyTimeout: 10_000)
        try from.run(script: "PRAGMA query_only = ON")
        do throws(StoreError) { try from.identify(source) } catch {
            throw from.isNoDatabase ? StoreError("\(source) is no database") : error
        }
        let descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, "the copy \(unfinished)") }
        close(descriptor)
        let to = try Connection(path: unfinished, busyTimeout: 0)
        try to.run(script: "PRAGMA synchronous = FULL")
        try to.replace(by: from)
        // In the copied database the log is still a write-ahead one, which comes into being as soon as it is used.
        guard try to.first("PRAGMA quick_check(1)", { $0.text() }) == "ok" else { throw StoreError("the copy of \(source) is damaged") }
        if let kept = try to.keyFingerprint(), kept != keyFingerprint {
            throw StoreError("the token key is not the one that the members in \(source) are known under")
        }
        try finish(to)
        guard try to.first("PRAGMA wal_checkpoint(TRUNCATE)", { $0.integer64() }) == 0 else {
            throw StoreError("the copy of \(source) cannot be brought home from its log")
        }
    }

    /// The names of a database and of what SQLite keeps beside it.
    private static func files(of path: String) -> [String] { ["", "-wal", "-shm", "-journal"].map { path + $0 } }
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
