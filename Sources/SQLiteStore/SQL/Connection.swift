internal import CSQLite
internal import UseCases

/// A connection to the database with its prepared statements. SQLite's own locks are off: it belongs to one `Keeper`, which lets in one
/// caller at a time.
final class Connection {
    private let handle: OpaquePointer
    private var statements: [SQL.Key: Statement] = [:]
    /// Pages in the write-ahead log after this connection's last commit; counted once `watchLog()` was called.
    private(set) var logPages = 0
    private var log: LogFile?
    private var durability: Durability?
    var roomRows = RoomRows()

    /// How far a commit has come when it returns.
    enum Durability: String {
        /// On disk, with all that was committed before it.
        case synced = "FULL"
        /// In the log, which the next that is synced takes along: only a power cut, and never a crash, may take it back
        /// (https://sqlite.org/pragma.html#pragma_synchronous).
        case logged = "NORMAL"
    }

    /// Before the first is opened: has SQLite not count its memory, for which it would take a lock with every piece
    /// (https://sqlite.org/compile.html, SQLITE_DEFAULT_MEMSTATUS). It refuses that where somebody has used it before, and then counts on.
    private static let setUp: Void = { _ = hansang_sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) }()

    /// Opens a database file that exists.
    init(path: String, busyTimeout: Int32) throws(StoreError) {
        Self.setUp
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, Naps.fileSystem)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw StoreError(sqlite: handle)
        }
        self.handle = handle
        wait(atMost: busyTimeout)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// For how many milliseconds a call waits, from now on, where another process has locked the database.
    func wait(atMost milliseconds: Int32) { Naps.wait(atMost: milliseconds, on: handle) }

    /// Whether the log is where it was, with all that was written to it; counted from `watchLog(of:)` on.
    func findsLogInPlace() -> Bool {
        switch log?.state(withPages: logPages) {
        case nil, .whole?: return true
        case .gone?: return false
        case .short?:
            // Another process may have brought all of it home and cut it: then SQLite knows of no pages in it either.
            let pages = try? first("PRAGMA wal_checkpoint(PASSIVE)") { row in
                _ = row.integer64()
                return row.integer64()
            }
            guard pages == 0 else { return false }
            logPages = 0
            return true
        }
    }

    /// For calls of SQLite that take two connections.
    func withHandles(of other: Connection, _ body: (OpaquePointer?, OpaquePointer?) throws(StoreError) -> Void) throws(StoreError) {
        try body(handle, other.handle)
    }

    /// Whether the file may only be read: SQLite opens such a file without a word.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// Whether the last call failed since somebody else has locked the database.
    var isBusy: Bool { sqlite3_errcode(handle) & 0xFF == SQLITE_BUSY }

    /// Whether the last call failed since the file is something else.
    var isNoDatabase: Bool { sqlite3_errcode(handle) & 0xFF == SQLITE_NOTADB }

    /// Counts the pages of the log from now on, and sees whether it stays where it is. It takes the place of SQLite's own checkpoints
    /// within a commit.
    ///
    /// - Parameter path: of the database.
    func watchLog(of path: String) throws(StoreError) {
        log = LogFile(of: path, pageSize: try first("PRAGMA page_size") { $0.integer() } ?? 0)
        guard log != nil else { throw StoreError("the database \(path) has no log") }
        sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                if let context { Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().logPages = Int(pages) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}

extension Connection {
    /// Runs several statements that take no values.
    func run(script: String) throws(StoreError) {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw StoreError(sqlite: handle) }
    }

    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: SQL) throws(StoreError) -> Int {
        try statement(sql).run(sql, on: handle) { _ in }
        return Int(sqlite3_changes(handle))
    }

    /// Runs what has to change exactly one row.
    func runOnOne(_ sql: SQL) throws(StoreError) {
        let changed = try run(sql)
        guard changed == 1 else { throw StoreError("database: \(changed) rows changed where one was to: \(sql.text)") }
    }

    func all<Value>(_ sql: SQL, _ read: (inout Row) throws(StoreError) -> Value) throws(StoreError) -> [Value] {
        var values: [Value] = []
        try statement(sql).run(sql, on: handle) { row throws(StoreError) in values.append(try read(&row)) }
        return values
    }

    func first<Value>(_ sql: SQL, _ read: (inout Row) throws(StoreError) -> Value) throws(StoreError) -> Value? {
        var value: Value?
        try statement(sql).run(sql, on: handle) { row throws(StoreError) in
            if value == nil { value = try read(&row) }
        }
        return value
    }

    /// What commits from now on wait for. Throws within a transaction.
    func commits(_ durability: Durability) throws(StoreError) {
        guard durability != self.durability else { return }
        try run(script: "PRAGMA synchronous = \(durability.rawValue)")
        self.durability = durability
    }

    /// All of `body` or nothing.
    ///
    /// - Parameter writes: takes the lock for writing at once, so that it cannot be refused half-way.
    func transaction<Value>(writes: Bool = true, _ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        try run(writes ? "BEGIN IMMEDIATE" : "BEGIN")
        do throws(StoreError) {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            // SQLite has rolled back by itself after some failures. If this fails too, closing the connection does it.
            if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
            throw error
        }
    }

    private func statement(_ sql: SQL) throws(StoreError) -> Statement {
        if let kept = statements[SQL.Key(sql)] { return kept }
        let statement = try Statement(sql.text, on: handle)
        statements[SQL.Key(keeping: sql)] = statement
        return statement
    }
}
