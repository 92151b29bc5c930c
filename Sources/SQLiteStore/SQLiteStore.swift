public import MenuGame
internal import Synchronization
public import UseCases

/// Rooms in one SQLite file on this machine.
///
/// One connection writes and one reads; in the write-ahead log neither waits for the other. Every commit is synced before it returns,
/// but for what becomes of messages to phones, which is with the next of the others.
///
/// Calls of one kind wait for one another. Where another process has locked the file, a call waits up to a second and then throws.
/// After any other failure the connections are opened anew, so a store heals by itself as soon as its disk does.
public final class SQLiteStore: RoomStore {
    private let lock: Mutex<FileLock?>
    let file: DatabaseFile
    private let writer: Keeper
    private let reader: Keeper
    private let checkpointer: Checkpointer
    /// Whether all that the log holds is known to be on disk: not after a failed write, until the writer has brought it home.
    private let isHome: Flag
    /// Also lets in one caller at a time who asks for messages or settles some.
    let outbox = Mutex(OutboxMemory())

    /// Opens the database at `path`, creates the file if there is none, and brings its schema up to date.
    ///
    /// - Throws: where the file or its directory cannot be written, where it is no database or another program's or a newer version's,
    ///   and where another process has it.
    ///
    /// - Parameter patience: how long to wait for a process that has it and is about to let it go, and then for whoever still reads what that
    ///   has left in the log, a check or a backup.
    public convenience init(path: String, patience: Duration = .zero) throws(StoreError) {
        try self.init(path: path, busyTimeout: 1000, patience: patience)
    }

    /// - Parameters:
    ///   - busyTimeout: milliseconds to wait where another process (a backup, `sqlite3`) has locked the database.
    ///   - logLimit: pages of 4 KB in the write-ahead log from which on they are brought into the database.
    ///   - step: of bringing them there.
    init(
        path: String, busyTimeout: Int32, logLimit: Int = 4096, patience: Duration = .zero,
        step: @escaping Checkpointer.Step = Checkpointer.passive
    ) throws(StoreError) {
        let file = try DatabaseFile(path)
        self.file = file
        lock = Mutex(try FileLock(besides: file.path, patience: patience))
        let waiting = max(busyTimeout, Int32(clamping: patience.components.seconds * 1000))
        try Connection.first(to: file, busyTimeout: busyTimeout).bringLogHome(waiting: waiting)
        let isHome = Flag(true)
        writer = Keeper { () throws(StoreError) in
            let connection = try Connection.writing(to: file, busyTimeout: busyTimeout)
            isHome.set(true)
            return connection
        }
        reader = Keeper { () throws(StoreError) in
            guard isHome.isSet else { throw StoreError("database: not read until the log is home") }
            return try Connection.reading(from: file, busyTimeout: busyTimeout)
        }
        self.isHome = isHome
        checkpointer = Checkpointer(file: file, writer: writer, limit: logLimit, step: step)
        try write { _ in }
        try read { _ in }
    }

    deinit { close() }

    /// Brings everything into the database file and lets go of it. Afterwards every call fails.
    public func close() {
        reader.close()
        checkpointer.close()
        // The last to close merges the log into the database.
        writer.close()
        lock.withLock { $0 = nil }
    }

    /// Whoever has the file has it alone.
    public var isShared: Bool { false }

    /// One transaction for reading a room, in O(members): answers and results are read as they were written, by no catalogue.
    public func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: StoredRoom] {
        try read { connection throws(StoreError) in
            var rooms: [PIN: StoredRoom] = [:]
            for pin in pins { rooms[pin] = try connection.room(pin, at: now).map { StoredRoom($0, mark: nil) } }
            return rooms
        }
    }

    public func versions(of rooms: [Identifier]) throws(StoreError) -> [Identifier: RoomVersion] {
        try read { connection throws(StoreError) in
            var versions: [Identifier: RoomVersion] = [:]
            for room in rooms { versions[room] = try connection.sequence(of: room).map { RoomVersion(sequence: $0, mark: nil) } }
            return versions
        }
    }

    public func receipts(_ keys: [ReceiptKey], at now: Instant) throws(StoreError) -> [ReceiptKey: Receipt] {
        try read { connection throws(StoreError) in
            var receipts: [ReceiptKey: Receipt] = [:]
            for key in keys { receipts[key] = try connection.receipt(key, at: now) }
            return receipts
        }
    }

    /// By indices, but for the count of PINs, which looks at every room.
    public func facts(_ question: StoreQuestion, at now: Instant) throws(StoreError) -> StoreFacts {
        try read { connection throws(StoreError) in
            try connection.transaction(writes: false) { () throws(StoreError) in try connection.facts(question, at: now) }
        }
    }

    /// There is nobody else.
    public func hold(_ rooms: [Identifier]) throws(StoreError) {}

    /// See `hold`.
    public func release() {}

    /// Nobody else has anything to tell.
    public func listen(_ listener: @escaping @Sendable (StoreNews) -> Void) {}

    public func keep(_ receipt: Receipt) throws(StoreError) -> Bool {
        try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                guard try connection.receipt(receipt.key, at: receipt.keptAt) == nil else { return false }
                try connection.write(receipt, of: nil)
                return true
            }
        }
    }

    public func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int {
        try write { connection throws(StoreError) in try connection.deleteExpiredReceipts(at: now, limit: limit) }
    }

    /// Writes only where there is a room that is due: an idle server leaves its disk alone.
    public func lease(dueAt now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PIN] {
        guard try read({ connection throws(StoreError) in try connection.hasDue(at: now) }) else { return [] }
        return try write { connection throws(StoreError) in try connection.lease(dueAt: now, until: end, limit: limit) }
    }

    /// One transaction and one sync of the log, whatever the number of changes. Where the sync itself
    /// fails, what is on disk is only known once it has been read again; after any other failure nothing of the batch is.
    public func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome] {
        try write { connection throws(StoreError) in try connection.commit(batch) }
    }

    /// Members, submissions and results go with their room, overwritten in the file (`secure_delete`); now and then the file shrinks too.
    public func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN] {
        try write { connection throws(StoreError) in try connection.deleteExpired(at: now, limit: limit) }
    }

    /// Kept as a blob, so byte for byte what was given.
    public func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? {
        try read { connection throws(StoreError) in try connection.catalogue(fingerprint) }
    }

    public func catalogues() throws(StoreError) -> [String] {
        try read { connection throws(StoreError) in try connection.catalogues() }
    }

    /// Also drops the catalogues that no room is played with any more.
    public func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError) {
        try write { connection throws(StoreError) in try connection.keep(catalogue: catalogue, fingerprint: fingerprint) }
    }

    /// What tells the key that the members in here are known under from others; `nil` in a new store.
    ///
    /// - Throws: also where there are rooms and no key.
    public func keyFingerprint() throws(StoreError) -> [UInt8]? {
        try read { connection throws(StoreError) in try connection.keyFingerprint() }
    }

    /// Sees to it that the members in here are known under the key with this fingerprint: a new store keeps it, an older one compares.
    ///
    /// - Throws: where they are known under another key, by which each of them would be a stranger, and as `keyFingerprint`.
    public func belong(toKey fingerprint: [UInt8]) throws(StoreError) {
        try write { connection throws(StoreError) in
            if let kept = try connection.keyFingerprint() {
                guard kept == fingerprint else {
                    throw StoreError("the token key beside the database is not the one that its members are known under. Put that back")
                }
            } else {
                try connection.runOnOne("INSERT INTO token_key VALUES (\(blob: fingerprint))")
            }
        }
    }

    /// False also while the log cannot be brought into the database: it would grow until commits fail too.
    public func isWritable() -> Bool {
        do throws(StoreError) {
            try write { connection throws(StoreError) in try connection.runOnOne("UPDATE trial SET count = count + 1") }
            return checkpointer.isWell
        } catch {
            return false
        }
    }

    func read<Value: Sendable>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value {
        if !isHome.isSet { try write { _ in } }
        return try reader.use(body)
    }

    /// The one way to write. What a commit waits for is said each time, before anything else is done: whatever became of the write before,
    /// none is synced less than it has to be.
    func write<Value: Sendable>(
        _ durability: Connection.Durability = .synced, _ body: (Connection) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        guard file.isInPlace else { throw StoreError("the database \(file.path) was moved or deleted") }
        let (value, logPages) = try writer.use(failed: closeOthers) { connection throws(StoreError) in
            // Whoever closes last brings all of the log home, also one that has no name any more.
            guard connection.findsLogInPlace() else { throw StoreError("the log of the database \(file.path) was moved, deleted or cut") }
            try connection.commits(durability)
            return (try body(connection), connection.logPages)
        }
        checkpointer.notice(logPages: logPages)
        return value
    }

    /// When a write has failed, every connection is closed before the next opens: the last one out merges what was committed before and
    /// leaves behind what was not, so that nothing is ever built upon, or shown, of which nobody knows whether it reached the disk.
    private func closeOthers() {
        isHome.set(false)
        reader.drop()
        checkpointer.drop()
    }
}
