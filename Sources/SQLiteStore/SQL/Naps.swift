internal import CSQLite
internal import Glibc

/// How long SQLite sleeps between two attempts at a lock.
///
/// A lock that cannot be had at all (ENOLCK) SQLite takes for one that somebody has: it tries a hundred times, which with its own naps
/// takes ten seconds (`walTryBeginRead` in wal.c), and everybody waits behind it. With these it takes less than one.
enum Naps {
    /// Microseconds of the longest.
    static let longest: Int32 = 10_000

    /// SQLite's own file system with such naps; `nil` where it has none, for the one that it takes then.
    static let fileSystem: String? = {
        guard let own = sqlite3_vfs_find(nil), let name = strdup("unix-with-short-naps") else { return nil }
        // SQLite keeps what is registered for good.
        let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        copy.initialize(to: own.pointee)
        copy.pointee.zName = UnsafePointer(name)
        copy.pointee.xSleep = { _, microseconds in
            usleep(UInt32(clamping: min(microseconds, Naps.longest)))
            return microseconds
        }
        return sqlite3_vfs_register(copy, 0) == SQLITE_OK ? String(cString: name) : nil
    }()

    /// Has calls wait where another process has locked the database. SQLite's own way to do so counts naps as long as it asked for.
    ///
    /// - Parameter milliseconds: at most, and about.
    static func wait(atMost milliseconds: Int32, on connection: OpaquePointer) {
        sqlite3_busy_handler(
            connection,
            { most, count in
                guard Int(count) < Int(bitPattern: most) else { return 0 }
                usleep(UInt32(clamping: Naps.longest))
                return 1
            }, UnsafeMutableRawPointer(bitPattern: Int(milliseconds) * 1000 / Int(longest)))
    }
}
