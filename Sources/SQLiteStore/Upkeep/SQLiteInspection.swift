public import MenuGame
public import UseCases

/// A look at all that a database holds, while a server may be using it. Everything is read as of one moment.
public final class SQLiteInspection: StoreInspection {
    private let connection: Connection

    /// - Throws: where there is no database of this program at `path`, or one of another version.
    public init(path: String) throws(StoreError) {
        let connection = try Connection(path: path, busyTimeout: 10_000)
        try connection.run(script: "PRAGMA query_only = ON")
        do throws(StoreError) {
            try connection.identify(path)
            guard try connection.schemaVersion() == Migration.all.last?.number else {
                throw StoreError("the database \(path) has an older schema; the next start of the server brings it up to date")
            }
            try connection.run("BEGIN")
        } catch {
            throw connection.isNoDatabase ? StoreError("\(path) is no database") : error
        }
        self.connection = connection
    }

    /// What SQLite finds wrong with the file and with its references, and what is missing in it; empty where all is well. Reads all of the
    /// file.
    public func faults() throws(StoreError) -> [String] {
        let integrity = try connection.all("PRAGMA integrity_check(100)") { $0.text() }.filter { $0 != "ok" }
        let missing = try missing()
        guard missing.isEmpty else { return integrity + missing }
        let trials = try connection.first("SELECT count(*) FROM trial") { $0.integer() }
        let trial = trials == 1 ? [] : ["the table trial does not have its one row"]
        let references = try connection.all("PRAGMA foreign_key_check") { row in "a row of \(row.text()) refers to one that is not there" }
        return integrity + trial + references
    }

    /// The tables and indices that a new database has, and this one has not.
    private func missing() throws(StoreError) -> [String] {
        let new = try Connection(path: ":memory:", busyTimeout: 0)
        try new.migrate()
        let objects = Set(try Self.objects(of: connection))
        return try Self.objects(of: new).filter { !objects.contains($0) }.map { "the \($0) is missing" }
    }

    private static func objects(of connection: Connection) throws(StoreError) -> [String] {
        try connection.all("SELECT type || ' ' || name FROM sqlite_schema ORDER BY rowid") { $0.text() }
    }

    public func pins() throws(StoreError) -> [PIN] {
        try connection.all("SELECT pin FROM room ORDER BY key") { row throws(StoreError) in try row.pin() }
    }

    public func room(_ pin: PIN) throws(StoreError) -> RoomRecord? {
        try connection.roomWithinTransaction(pin, at: Instant(milliseconds: .min))
    }

    public func devices() throws(StoreError) -> [PushDevice] { try connection.devices() }

    public func receipts(in room: Identifier?) throws(StoreError) -> [Receipt] { try connection.receipts(in: room) }

    public func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? { try connection.catalogue(fingerprint) }

    public func keyFingerprint() throws(StoreError) -> [UInt8]? { try connection.keyFingerprint() }
}
