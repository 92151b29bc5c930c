internal import MenuGame
internal import UseCases

extension Connection {
    /// The answer to all that is asked, in one round trip.
    func facts(_ question: StoreQuestion, at now: Instant, within limit: Duration) throws(StoreError) -> StoreFacts {
        var facts = StoreFacts()
        let (receipts, owners, rooms, openers) = (
            Array(question.receipts), Array(question.owners), Array(question.rooms), Array(question.openers)
        )
        let parts: [[SQL]] = [
            Receipt.find(receipts, at: now), owners.map(Self.bytes(of:)), rooms.map(Self.bytes(in:)),
            openers.map { "SELECT owner, expires_at FROM opening WHERE owner = \($0) AND expires_at > \(now)" },
            question.pins.map { "SELECT pin FROM pin_claim WHERE pin = \($0) AND expires_at > \(now)" },
            question.digits.isEmpty ? [] : [AllShards.pinCounts],
        ]
        var answers = try run(parts.flatMap(\.self), within: limit)[...]
        /// The answers to the next of those parts.
        func next(_ part: Int) -> ArraySlice<Rows> {
            defer { answers = answers.dropFirst(parts[part].count) }
            return answers.prefix(parts[part].count)
        }
        facts.receipts = try next(0).receipts()
        for (owner, bytes) in try next(1).all({ row throws(StoreError) in (try row.tokenHash(), row.integer()) }) {
            facts.bytesOfOwners[owner] = bytes
        }
        for (room, bytes) in next(2).all({ ($0.identifier(), $0.integer()) }) { facts.bytesInRooms[room] = bytes }
        for (opener, end) in try next(3).all({ row throws(StoreError) in (try row.tokenHash(), row.instant()) }) {
            facts.expiries[opener, default: []].append(end)
        }
        facts.taken = Set(try next(4).all { row throws(StoreError) in try row.pin() })
        for digits in question.digits { facts.counts[digits] = 0 }
        for (digits, count) in next(5).all({ ($0.integer(), $0.integer()) }) where question.digits.contains(digits) {
            facts.counts[digits] = count
        }
        return facts
    }

    private static func bytes(of owner: TokenHash) -> SQL {
        """
        SELECT owner, sum(octet_length(answer) + \(Receipt.overhead))::bigint FROM receipt WHERE owner = \(owner) GROUP BY owner
        """
    }

    private static func bytes(in room: Identifier) -> SQL {
        "SELECT room, sum(bytes + \(Receipt.overhead))::bigint FROM room_receipt WHERE room = \(room) GROUP BY room"
    }
}
