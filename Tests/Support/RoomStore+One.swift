public import MenuGame
public import UseCases

// A store takes many at once; a test often wants one.
extension RoomStore {
    public func load(_ pin: PIN, at now: Instant) throws(StoreError) -> RoomRecord? { try load([pin], at: now)[pin]?.record }

    public func receipt(_ key: ReceiptKey, at now: Instant) throws(StoreError) -> Receipt? { try receipts([key], at: now)[key] }

    public func isLive(_ pin: PIN, at now: Instant) throws(StoreError) -> Bool {
        try facts(at: now) { $0.pins = [pin] }.taken.contains(pin)
    }

    public func liveCount(digits: Int) throws(StoreError) -> Int {
        try facts(at: Instant(milliseconds: 0)) { $0.digits = [digits] }.counts[digits, default: 0]
    }

    public func roomsExpire(openedBy token: TokenHash, at now: Instant) throws(StoreError) -> [Instant] {
        try facts(at: now) { $0.openers = [token] }.expiries[token, default: []]
    }

    public func receiptBytes(of owner: TokenHash) throws(StoreError) -> Int {
        try facts(at: Instant(milliseconds: 0)) { $0.owners = [owner] }.bytesOfOwners[owner, default: 0]
    }

    public func receiptBytes(in room: Identifier) throws(StoreError) -> Int {
        try facts(at: Instant(milliseconds: 0)) { $0.rooms = [room] }.bytesInRooms[room, default: 0]
    }

    private func facts(at now: Instant, _ ask: (inout StoreQuestion) -> Void) throws(StoreError) -> StoreFacts {
        var question = StoreQuestion()
        ask(&question)
        return try facts(question, at: now)
    }
}
