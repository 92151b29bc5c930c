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
