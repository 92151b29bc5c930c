internal import MenuGame
internal import UseCases

// What others have of what a batch wants, asked when the server has refused the batch: for all of its changes at once, so that it need not
// be refused once for each.
extension Connection {
    /// The changes whose PIN somebody else has, or under whose key another answer is kept. Those of rooms need not be asked for: their
    /// changes look for themselves, with the room locked.
    func taken(from changes: [IndexedChange], within limit: Duration) throws(StoreError) -> [Int: CommitOutcome] {
        let openings = changes.filter { $0.marked.change.basedOn == nil }
        let own = changes.flatMap { change in change.marked.ownReceipts.map { (index: change.index, receipt: $0) } }
        let results = try run(
            [
                """
                SELECT number FROM unnest(
                  \(openings.map { Int64($0.index) }), \(openings.map(\.marked.room.pin)), \(openings.map(\.marked.room.createdAt.milliseconds))
                ) AS wished (number, pin, created_at)
                JOIN pin_claim USING (pin) WHERE expires_at > created_at
                """,
                """
                SELECT number FROM unnest(
                  \(own.map { Int64($0.index) }), \(own.map(\.receipt.key.owner)), \(own.map(\.receipt.key.key)),
                  \(own.map(\.receipt.keptAt.milliseconds))
                ) AS wished (number, owner, key, wished_at)
                JOIN own_receipt USING (owner, key) WHERE expires_at > wished_at
                """,
            ], within: limit)
        var taken: [Int: CommitOutcome] = [:]
        // Whose answer is there already needs no other PIN.
        for (rows, outcome) in zip(results, [CommitOutcome.pinTaken, .conflict]) {
            for index in rows.all({ $0.integer() }) { taken[index] = outcome }
        }
        return taken
    }

    /// The changes whose rooms somebody else has locked just now, or that are gone.
    func locked(of changes: [IndexedChange], within limit: Duration) throws(StoreError) -> [Int: CommitOutcome] {
        let updates = changes.filter { $0.marked.change.basedOn != nil }
        let rooms = updates.map(\.marked.room.id)
        // Rolled back, for there is nothing to be synced.
        let results = try run(
            [.begin, "SELECT id FROM room WHERE id = ANY(\(rooms)) ORDER BY id FOR UPDATE SKIP LOCKED", .rollBack], within: limit)
        guard results.count == 3 else { throw abandon("an answer is missing") }
        let free = Set(results[1].all { $0.identifier() })
        let locked = updates.filter { !free.contains($0.marked.room.id) }
        return Dictionary(locked.map { ($0.index, .conflict) }) { first, _ in first }
    }
}
