public import MenuGame
public import UseCases

/// A look at all that a database holds, in one transaction on a connection of its own.
public final class PostgresInspection: StoreInspection {
    private let connection: Connection
    private let limit: Duration

    /// - Parameter uri: see `PostgresStore`.
    /// - Throws: where it cannot be connected to, and where no server has made the tables yet, or one of another version.
    public init(uri: String) throws(StoreError) {
        let connection = try Connection(try DatabaseURI(uri))
        // Nobody waits for it, and it may have much to read.
        limit = .seconds(600)
        _ = try connection.prepareSession(within: limit)
        guard try connection.schemaVersion(within: limit) == Migration.all.last?.number else {
            throw StoreError(
                "\(connection.uri): the tables are not there, or of another version; the start of a server brings them up to date")
        }
        try connection.run(.beginReading, within: limit)
        self.connection = connection
    }

    /// That all tables and indices are there, that every room has its PIN, and that what is kept by owner is what the rooms say: nothing else
    /// in the database says so. What a disk has damaged is for `pg_amcheck` to find.
    public func faults() throws(StoreError) -> [String] {
        let missing = try missing()
        guard missing.isEmpty else { return missing }
        let trials = try connection.run("SELECT count(*) FROM trial", within: limit).first { $0.integer() }
        return try (trials == 1 ? [] : ["the table trial does not have its one row"])
            + roomsWithoutPINs()
            + differences(
                AllShards.openersOfRooms, AllShards.openings, "is not among the openings of its opener",
                "is among the openings of somebody who has not opened it")
            + differences(
                AllShards.receiptsOfRooms, AllShards.roomReceipts, "does not know of an answer that goes with it",
                "knows of an answer that is not there")
    }

    /// What the migrations make and is not there.
    private func missing() throws(StoreError) -> [String] {
        let relations = Set(try connection.run(Migration.relationsThere, within: limit).all { $0.text() })
        return Migration.relations.filter { !relations.contains($0) }.map { "the table or index \($0) is missing" }
    }

    /// A PIN whose room is no more is no fault: a server that ends, or loses its database, right after it has closed a room leaves it
    /// behind, until the room would have expired.
    private func roomsWithoutPINs() throws(StoreError) -> [String] {
        let claims = try claims()
        return try rooms().compactMap { room in
            let claim = claims[room.pin]
            // Another room may have taken it since.
            let isFine = claim.map { $0.room == room.id || $0.expiresAt > room.expiresAt } ?? false
            return isFine ? nil : "room \(room.id) does not have its PIN"
        }
    }

    /// What one of two tables has of rooms, of those who own it, and under which keys, and the other has not.
    ///
    /// - Parameters:
    ///   - missing: said of a room of which only the first has something.
    ///   - surplus: the same for the second.
    private func differences(_ first: SQL, _ second: SQL, _ missing: String, _ surplus: String) throws(StoreError) -> [String] {
        struct Owned: Hashable {
            let owner: TokenHash
            let room: Identifier
            let key: String
        }
        let found = try connection.run([first, second], within: limit).map { rows throws(StoreError) in
            Set(try rows.all { row throws(StoreError) in Owned(owner: try row.tokenHash(), room: row.identifier(), key: row.text()) })
        }
        guard found.count == 2 else { throw connection.abandon("an answer is missing") }
        // Neither owners nor keys are said.
        func faults(_ owned: Set<Owned>, _ fault: String) -> [String] { Set(owned.map(\.room)).sorted().map { "room \($0) \(fault)" } }
        return faults(found[0].subtracting(found[1]), missing) + faults(found[1].subtracting(found[0]), surplus)
    }

    public func pins() throws(StoreError) -> [PIN] {
        let rooms = Set(try rooms().map(\.id))
        return try claims().filter { rooms.contains($0.value.room) }.keys.sorted { $0.text < $1.text }
    }

    private func claims() throws(StoreError) -> [PIN: (room: Identifier, expiresAt: Instant)] {
        let claims = try connection.run(AllShards.roomsOfPINs, within: limit).all { row throws(StoreError) in
            (try row.pin(), (room: row.identifier(), expiresAt: row.instant()))
        }
        return Dictionary(claims) { first, _ in first }
    }

    private func rooms() throws(StoreError) -> [(id: Identifier, pin: PIN, expiresAt: Instant)] {
        try connection.run(AllShards.pinsOfRooms, within: limit).all { row throws(StoreError) in
            (id: row.identifier(), pin: try row.pin(), expiresAt: row.instant())
        }
    }

    public func room(_ pin: PIN) throws(StoreError) -> RoomRecord? {
        try connection.load([pin], at: Instant(milliseconds: .min), within: limit)[pin]?.record
    }

    public func devices() throws(StoreError) -> [PushDevice] {
        let sql: SQL = "SELECT owner, platform, push_token, language, room_id, registered_at, expires_at FROM device"
        return try connection.run(sql, within: limit).all { row throws(StoreError) in
            PushDevice(
                owner: try row.tokenHash(), platform: try row.named(PushPlatform.self), pushToken: row.text(),
                language: try row.named(Language.self), room: row.optional { $0.identifier() }, at: row.instant(), expiresAt: row.instant())
        }
    }

    public func receipts(in room: Identifier?) throws(StoreError) -> [Receipt] {
        guard let room else {
            return try connection.run(AllShards.receiptsOfNoRoom, within: limit).all { row throws(StoreError) in try Receipt(&row) }
        }
        let keys = try connection.run("SELECT owner, key FROM room_receipt WHERE room = \(room)", within: limit)
            .all { row throws(StoreError) in ReceiptKey(owner: try row.tokenHash(), key: row.text()) }
        guard !keys.isEmpty else { return [] }
        let ofRoom = Receipt.find(keys, at: Instant(milliseconds: .min)).map { "\($0) AND room = \(room)" as SQL }
        return try connection.run(ofRoom, within: limit).all { row throws(StoreError) in try Receipt(&row) }
    }

    public func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? {
        try connection.catalogue(fingerprint, within: limit)
    }

    public func keyFingerprint() throws(StoreError) -> [UInt8]? {
        try connection.keyFingerprint(within: limit)
    }
}
