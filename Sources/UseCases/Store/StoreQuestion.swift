public import MenuGame

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
