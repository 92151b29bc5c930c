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

    /// That each room has its PIN: nothing else in the database says so. A PIN without its room is none: that of a room that was closed is
    /// deleted a moment after it, or expires. What a disk has damaged is for `pg_amcheck` to find.
    public func faults() throws(StoreError) -> [String] {
        try connection.run(
            """
            SELECT 'room ' || room.id || ' does not have its PIN' FROM room
            WHERE NOT EXISTS (SELECT FROM pin_claim WHERE pin_claim.pin = room.pin AND pin_claim.room = room.id)
              -- Another room may have taken it since.
              AND NOT EXISTS (SELECT FROM pin_claim WHERE pin_claim.pin = room.pin AND pin_claim.expires_at > room.expires_at)
            """, within: limit
        ).all { $0.text() }
    }

    public func pins() throws(StoreError) -> [PIN] {
        try connection.run("SELECT pin FROM pin_claim ORDER BY pin", within: limit).all { row throws(StoreError) in try row.pin() }
    }

    public func room(_ pin: PIN) throws(StoreError) -> RoomRecord? {
        try connection.load([pin], at: Instant(milliseconds: .min), within: limit)[pin]
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
        try connection.run(Receipt.all(in: room), within: limit).all { row throws(StoreError) in try Receipt(&row) }
    }

    public func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? {
        try connection.catalogue(fingerprint, within: limit)
    }

    public func keyFingerprint() throws(StoreError) -> [UInt8]? {
        try connection.run("SELECT fingerprint FROM token_key", within: limit).first { $0.bytes() }
    }
}
