public import MenuGame

/// Where rooms are kept. Calls may block and come from several queues at once; none comes from an event loop.
///
/// Nothing is upserted: creating fails where there is one, changing where there is none. A call throws where the store cannot be
/// reached, and where it holds what cannot be understood.
public protocol RoomStore: Sendable {
    /// The room that has this PIN, all of it as of one moment; `nil` where there is none or it has expired.
    func load(_ pin: PIN, at now: Instant) throws(StoreError) -> RoomRecord?

    /// Whether a room that has not expired has this PIN.
    func isLive(_ pin: PIN, at now: Instant) throws(StoreError) -> Bool

    /// How many PINs of that many digits are taken, by rooms that have expired but are not yet deleted too.
    func liveCount(digits: Int) throws(StoreError) -> Int

    /// When the live rooms that somebody opened will expire.
    func roomsExpire(openedBy token: TokenHash, at now: Instant) throws(StoreError) -> [Instant]

    /// The receipt that is kept under a key; `nil` where there is none or it has expired.
    func receipt(_ key: ReceiptKey, at now: Instant) throws(StoreError) -> Receipt?

    /// Bytes that somebody's receipts take, those too that have expired and are not yet deleted.
    func receiptBytes(of owner: TokenHash) throws(StoreError) -> Int

    /// The same for the receipts that go with a room.
    func receiptBytes(in room: Identifier) throws(StoreError) -> Int

    /// Keeps a receipt that belongs to no room, durably, in place of one under its key that has expired.
    func keep(_ receipt: Receipt) throws(StoreError)

    /// Writes all of `batch` in one durable transaction; when this returns, what is `stored` survives power loss.
    ///
    /// - Returns: one outcome a change, in their order. A change that is not stored leaves no trace and does not hold up the others.
    /// - Throws: where it cannot be told what was stored: nothing of the batch may be believed until it has been loaded again.
    func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome]

    /// Deletes rooms that have expired, at most `limit`, in one durable transaction.
    ///
    /// - Returns: their PINs.
    func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN]

    /// Deletes receipts that have expired, at most `limit`, in one durable transaction.
    ///
    /// - Returns: how many.
    func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int

    /// The catalogue that was kept under this fingerprint, byte for byte; `nil` where there is none.
    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]?

    /// Keeps a catalogue for as long as a room is played with it. Keeping it twice is fine.
    func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError)

    /// Whether it can be written just now. Found out by a durable write, so it takes as long as one.
    func isWritable() -> Bool
}

/// What happened to one room since the sequence that it was based on.
public struct RoomChange: Sendable {
    /// The room as it is to be.
    public let room: Room
    /// The sequence of the stored room that this was made from; `nil` for a room that is to be created.
    public let basedOn: Int?
    /// In order; empty only where there is nothing to write but receipts.
    public let events: [RoomEvent]
    /// Kept if the change is stored, in place of those under their keys that have expired.
    public let receipts: [Receipt]

    public init(room: Room, basedOn: Int?, events: [RoomEvent], receipts: [Receipt] = []) {
        self.room = room
        self.basedOn = basedOn
        self.events = events
        self.receipts = receipts
    }
}

/// What a store did with one change of a batch.
public enum CommitOutcome: Hashable, Sendable {
    case stored
    /// A live room has the PIN already.
    case pinTaken
    /// The stored room is no longer the one that the change was based on.
    case conflict
}

/// The store did not do it.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For the operator's log and never for a client. It may quote statements, though not the values bound to them, and name files,
    /// fingerprints, and rooms and members by id; but nothing that people gave: no answers or nicknames, no PIN and no token.
    public let detail: String

    public init(_ detail: String) { self.detail = detail }

    public var description: String { detail }
}
