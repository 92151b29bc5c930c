public import MenuGame

/// Where rooms are kept. Calls may block and come from several queues at once; none comes from an event loop.
///
/// Each call takes many, so that a store at the other end of a network is asked once for all who wait. Nothing is upserted: creating
/// fails where there is one, changing where there is none. A call throws where the store cannot be reached, and where it holds what
/// cannot be understood.
public protocol RoomStore: Sendable {
    /// Whether other servers change the same rooms: then what is in memory is compared with the store before it is believed.
    var isShared: Bool { get }

    /// The rooms that have these PINs, each all of it as of one moment; without those that have expired.
    func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: StoredRoom]

    /// How far rooms have come; without those that are no more.
    func versions(of rooms: [Identifier]) throws(StoreError) -> [Identifier: RoomVersion]

    /// The receipts that are kept under these keys; without those that have expired.
    func receipts(_ keys: [ReceiptKey], at now: Instant) throws(StoreError) -> [ReceiptKey: Receipt]

    /// What a batch of commands has to know.
    func facts(_ question: StoreQuestion, at now: Instant) throws(StoreError) -> StoreFacts

    /// Has nobody else change these rooms until the next `commit` or `release()`, and waits for its turn where somebody does so already. To
    /// be called from where commits come from, for rooms whose change was a `conflict`: loaded after this, they conflict no more.
    func hold(_ rooms: [Identifier]) throws(StoreError)

    /// Lets go of what is held and was not committed.
    func release()

    /// Writes all of `batch` in one durable transaction; when this returns, what is `stored` survives power loss.
    ///
    /// - Returns: one outcome a change, in their order. A change that is not stored leaves no trace and does not hold up the others.
    /// - Throws: where it cannot be told what was stored: nothing of the batch may be believed until it has been loaded again.
    func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome]

    /// Keeps a receipt that belongs to no room, durably, in place of one under its key that has expired.
    ///
    /// - Returns: whether it is kept; not so where there is another that has not expired.
    func keep(_ receipt: Receipt) throws(StoreError) -> Bool

    /// Deletes rooms that have expired, at most `limit`, in one durable transaction.
    ///
    /// - Returns: their PINs.
    func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN]

    /// Deletes receipts that have expired, at most `limit`, in one durable transaction.
    ///
    /// - Returns: how many.
    func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int

    /// Rooms that the clock has something to do with (`Room.dueAt`), at most `limit`, the longest due first. Nobody else is given them
    /// before `end`: whoever takes them and dies leaves them to others.
    ///
    /// - Returns: their PINs.
    func lease(dueAt now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PIN]

    /// The catalogue that was kept under this fingerprint, byte for byte; `nil` where there is none.
    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]?

    /// The fingerprints of all catalogues that are kept.
    func catalogues() throws(StoreError) -> [String]

    /// Keeps a catalogue for as long as a room is played with it. Keeping it twice is fine.
    func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError)

    /// Whether it can be written just now. Found out by a durable write, so it takes as long as one.
    func isWritable() -> Bool

    /// Has `listener` told of what other servers change, from now on. Called on a queue of the store's, which it must not block.
    func listen(_ listener: @escaping @Sendable (StoreNews) -> Void)
}

/// What a batch of commands has to know of the store, to be asked at once.
public struct StoreQuestion: Sendable {
    /// To be looked up as by `receipts`.
    public var receipts: Set<ReceiptKey> = []
    /// Whose receipts are to be measured.
    public var owners: Set<TokenHash> = []
    /// The same for the receipts that go with a room.
    public var rooms: Set<Identifier> = []
    /// Whose rooms are to be looked for.
    public var openers: Set<TokenHash> = []
    /// Of which is to be said whether they are taken.
    public var pins: Set<PIN> = []
    /// Lengths of PINs of which the taken ones are to be counted.
    public var digits: Set<Int> = []

    public init() {}

    public var isEmpty: Bool {
        receipts.isEmpty && owners.isEmpty && rooms.isEmpty && openers.isEmpty && pins.isEmpty && digits.isEmpty
    }
}

/// What a store says to a `StoreQuestion`.
public struct StoreFacts: Sendable {
    public var receipts: [ReceiptKey: Receipt] = [:]
    /// Bytes that somebody's receipts take, those too that have expired and are not yet deleted; without those who have none.
    public var bytesOfOwners: [TokenHash: Int] = [:]
    /// The same for the receipts that go with a room.
    public var bytesInRooms: [Identifier: Int] = [:]
    /// When the live rooms that somebody opened will expire; without those who have none.
    public var expiries: [TokenHash: [Instant]] = [:]
    /// Those that a live room has.
    public var taken: Set<PIN> = []
    /// How many PINs of each length are taken, by rooms that have expired but are not yet deleted too.
    public var counts: [Int: Int] = [:]

    public init() {}
}

/// What a shared store hears of other servers.
public enum StoreNews: Hashable, Sendable {
    /// A room has come to this sequence, or is no more. Also said of what this server changed itself.
    case changed(Identifier, sequence: Int)
    /// From now on nothing is heard.
    case silent
    /// From now on all is heard again; what was changed meanwhile has to be looked up.
    case resumed
}

/// What happened to one room since the sequence that it was based on.
public struct RoomChange: Sendable {
    /// The room as it is to be shown once this is stored.
    public let published: PublishedRoom
    /// The stored room that this was made from, whatever its mark where there is none; `nil` for a room that is to be created.
    public let basedOn: RoomVersion?
    /// In order; empty only where there is nothing to write but receipts.
    public let events: [RoomEvent]
    /// Kept if the change is stored, in place of those under their keys that have expired. Those of no room come with openings alone.
    public let receipts: [Receipt]
    /// What phones are to be told of it: kept in the outbox if the change is stored, in place of an older one of the room.
    public let notice: PushNotice?

    public init(_ published: PublishedRoom, basedOn: RoomVersion?, events: [RoomEvent], receipts: [Receipt] = [], notice: PushNotice? = nil)
    {
        self.published = published
        self.basedOn = basedOn
        self.events = events
        self.receipts = receipts
        self.notice = notice
    }

    /// The same where nobody knows the marks: a new one is drawn.
    ///
    /// - Parameter sequence: of the stored room that this was made from; `nil` for a room that is to be created.
    public init(room: Room, basedOn sequence: Int?, events: [RoomEvent], receipts: [Receipt] = [], notice: PushNotice? = nil) {
        let basedOn = sequence.map { RoomVersion(sequence: $0, mark: nil) }
        self.init(PublishedRoom(room, mark: .random(in: 0 ... .max)), basedOn: basedOn, events: events, receipts: receipts, notice: notice)
    }

    /// The room as it is to be.
    public var room: Room { published.room }
}

/// What a store did with one change of a batch.
public enum CommitOutcome: Hashable, Sendable {
    case stored
    /// A live room has the PIN already.
    case pinTaken
    /// The stored room is no longer the one that the change was based on, or another answer is kept under the key of one of its receipts.
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
