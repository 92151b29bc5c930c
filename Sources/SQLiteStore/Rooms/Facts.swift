internal import MenuGame
internal import UseCases

extension Connection {
    /// The answer to all that is asked, within a transaction.
    func facts(_ question: StoreQuestion, at now: Instant) throws(StoreError) -> StoreFacts {
        var facts = StoreFacts()
        for key in question.receipts { facts.receipts[key] = try receipt(key, at: now) }
        for owner in question.owners { facts.bytesOfOwners[owner] = try receiptBytes(of: owner) }
        for room in question.rooms { facts.bytesInRooms[room] = try receiptBytes(in: room) }
        for opener in question.openers { facts.expiries[opener] = try roomsExpire(openedBy: opener, at: now) }
        for pin in question.pins where try isLive(pin, at: now) { facts.taken.insert(pin) }
        for digits in question.digits { facts.counts[digits] = try liveCount(digits: digits) }
        return facts
    }

    private func receiptBytes(of owner: TokenHash) throws(StoreError) -> Int? {
        try first("SELECT sum(length(answer) + \(Receipt.overhead)) FROM receipt WHERE owner = \(owner)") { $0.optional { $0.integer() } }
            ?? nil
    }

    private func receiptBytes(in room: Identifier) throws(StoreError) -> Int? {
        try first(
            """
            SELECT sum(length(answer) + \(Receipt.overhead)) FROM receipt
            WHERE room = (SELECT key FROM room WHERE id = \(room))
            """
        ) { $0.optional { $0.integer() } } ?? nil
    }

    private func roomsExpire(openedBy token: TokenHash, at now: Instant) throws(StoreError) -> [Instant]? {
        let ends = try all("SELECT expires_at FROM room WHERE opened_by = \(token) AND expires_at > \(now)") { $0.instant() }
        return ends.isEmpty ? nil : ends
    }

    private func isLive(_ pin: PIN, at now: Instant) throws(StoreError) -> Bool {
        try first("SELECT 1 FROM room WHERE pin = \(pin) AND expires_at > \(now)") { _ in true } ?? false
    }

    private func liveCount(digits: Int) throws(StoreError) -> Int {
        try first("SELECT count(*) FROM room WHERE length(pin) = \(digits)") { $0.integer() } ?? 0
    }
}
