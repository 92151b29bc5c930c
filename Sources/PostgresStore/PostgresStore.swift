public import MenuGame
public import UseCases

/// Rooms in a PostgreSQL database that several servers share.
///
/// Each server has four connections, and each is used by one caller at a time: one that commits, one for all else that writes, one that
/// reads, one that listens. A commit that has returned is as durable as the database's `synchronous_commit` says, and never less than
/// on the server's own disk. Where a connection is lost calls fail at once, and a new one is made in the background, to whichever of the
/// hosts takes writes by then.
///
/// Through PgBouncer, in a pool of transactions: prepared statements are needed there (1.21 and later), `LISTEN` does not work, so that
/// what others change is never heard of, and what a session is set to may be another's; set `synchronous_commit` for the role.
public final class PostgresStore: RoomStore, CustomStringConvertible {
    /// The hosts and the database, without whom and what it is entered with.
    public let description: String
    public let isShared = true
    /// The channel on which servers tell one another what they have changed.
    let channel: String
    /// Commits, and what has to be known for them.
    private let writer: Keeper
    /// All else that is written, which is not to be part of what `writer` holds.
    private let upkeep: Keeper
    private let reader: Keeper
    private let listener: Listener
    private let unannounced = Unannounced()
    let limits: TimeLimits

    /// Connects, and makes the tables where there are none.
    ///
    /// - Parameter uri: `postgres://…`, as libpq has it; the tables are in the first schema of its search path.
    /// - Throws: where it cannot be connected to, where its schema is a newer version's, and where it would forget what it has
    ///   acknowledged.
    public convenience init(uri: String) throws(StoreError) { try self.init(uri: uri, limits: TimeLimits()) }

    init(uri: String, limits: TimeLimits) throws(StoreError) {
        let uri = try DatabaseURI(uri)
        let primary = Primary()
        let connect: @Sendable () throws(StoreError) -> Connection = { () throws(StoreError) in
            let connection = try Connection(uri, behind: primary)
            _ = try connection.prepareSession(within: limits.read)
            primary.follow(connection)
            return connection
        }
        let first = try Connection(uri)
        let channel = Self.channel(of: try first.prepareSession(within: limits.read))
        try first.migrate(within: limits)
        let unannounced = self.unannounced
        writer = try Keeper("writer", retry: limits.retry) { () throws(StoreError) in
            let connection = try connect()
            try unannounced.deliver(by: connection, on: channel, within: limits.read)
            return connection
        }
        upkeep = try Keeper("upkeep", retry: limits.retry, open: connect)
        reader = try Keeper("reader", retry: limits.retry, open: connect)
        let keepers = [writer, upkeep, reader]
        listener = try Listener(limits: limits) { [reader] () throws(StoreError) in
            let connection = try connect()
            try connection.run(script: "LISTEN \(try connection.quoted(identifier: channel))", within: limits.read)
            // Whoever is told that all is heard again asks at once for what has changed meanwhile, and has to get an answer.
            _ = try reader.use { connection throws(StoreError) in try connection.run("SELECT", within: limits.read).count }
            return connection
        } lookAround: {
            for keeper in keepers { keeper.inspect() }
        }
        description = uri.description
        self.channel = channel
        self.limits = limits
    }

    deinit { close() }

    /// Lets go of the database. Afterwards every call fails.
    public func close() {
        listener.close()
        for keeper in [writer, upkeep, reader] { keeper.close() }
    }

    /// A name may have 63 bytes (PostgreSQL manual, 4.1.1); that two schemas of longer names share a channel does no harm.
    private static func channel(of schema: String) -> String {
        var name = "hansang_\(schema)"
        while name.utf8.count > 63 { name.removeLast() }
        return name
    }
}

extension PostgresStore {
    public func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: StoredRoom] {
        guard !pins.isEmpty else { return [:] }
        return try read { connection throws(StoreError) in try connection.load(pins, at: now, within: limits.read) }
    }

    public func versions(of rooms: [Identifier]) throws(StoreError) -> [Identifier: RoomVersion] {
        guard !rooms.isEmpty else { return [:] }
        return try read { connection throws(StoreError) in try connection.versions(of: rooms, within: limits.read) }
    }

    public func receipts(_ keys: [ReceiptKey], at now: Instant) throws(StoreError) -> [ReceiptKey: Receipt] {
        guard !keys.isEmpty else { return [:] }
        return try read { connection throws(StoreError) in
            try connection.run(Receipt.find(keys, at: now), within: limits.read).receipts()
        }
    }

    public func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? {
        try read { connection throws(StoreError) in try connection.catalogue(fingerprint, within: limits.read) }
    }

    public func catalogues() throws(StoreError) -> [String] {
        try read { connection throws(StoreError) in try connection.catalogues(within: limits.read) }
    }

    /// On the connection that commits: where rooms are held, as they are held.
    public func facts(_ question: StoreQuestion, at now: Instant) throws(StoreError) -> StoreFacts {
        guard !question.isEmpty else { return StoreFacts() }
        return try commits { connection throws(StoreError) in try connection.facts(question, at: now, within: limits.read) }
    }

    public func hold(_ rooms: [Identifier]) throws(StoreError) {
        try commits { connection throws(StoreError) in try connection.hold(rooms, within: limits) }
    }

    public func release() {
        _ = try? commits { connection throws(StoreError) in connection.rollBack(within: limits.write) }
    }

    public func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome] {
        guard !batch.isEmpty else {
            release()
            return []
        }
        return try commits { connection throws(StoreError) in
            do throws(StoreError) {
                let committed = try connection.commit(batch, announcingOn: channel, within: limits)
                if !committed.isAnnounced {
                    connection.abandon()
                    unannounced.add(batch)
                } else if !committed.leftovers.isEmpty {
                    // Whatever is left of it is deleted when it expires.
                    _ = try? connection.write([.limitLocks(limits.commitLock)] + committed.leftovers, within: limits.write)
                }
                return committed.outcomes
            } catch {
                if !connection.isUsable { unannounced.add(batch) }
                throw error
            }
        }
    }

    public func keep(_ receipt: Receipt) throws(StoreError) -> Bool {
        try write { connection throws(StoreError) in try connection.write([receipt.keep], within: limits.write).first?.affected == 1 }
    }

    /// Whatever goes with them is deleted too, and the PINs that have expired.
    public func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN] {
        try write { connection throws(StoreError) in try connection.deleteExpired(at: now, limit: limit, within: limits.write) }
    }

    public func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int {
        try write { connection throws(StoreError) in try connection.deleteExpiredReceipts(at: now, limit: limit, within: limits.write) }
    }

    public func lease(dueAt now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PIN] {
        try write { connection throws(StoreError) in try connection.lease(dueAt: now, until: end, limit: limit, within: limits.write) }
    }

    public func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.keep(catalogue: catalogue, fingerprint: fingerprint, within: limits.write)
        }
    }

    public func isWritable() -> Bool {
        let changed = try? write { connection throws(StoreError) in
            try connection.write(["UPDATE trial SET count = count + 1"], within: limits.write).first?.affected
        }
        return changed == 1
    }

    public func listen(_ listener: @escaping @Sendable (StoreNews) -> Void) {
        self.listener.listen { news in
            switch news {
            case .silent: listener(.silent)
            case .resumed: listener(.resumed)
            case .announcement(let text):
                for (room, sequence) in Announcement.read(text) { listener(.changed(room, sequence: sequence)) }
            }
        }
    }

    func commits<Value: Sendable>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value { try writer.use(body) }
    func write<Value: Sendable>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value { try upkeep.use(body) }
    func read<Value: Sendable>(_ body: (Connection) throws(StoreError) -> Value) throws(StoreError) -> Value { try reader.use(body) }
}
