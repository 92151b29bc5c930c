internal import MenuGame
internal import UseCases

// What others have of what a batch wants, asked when the server has refused the batch: for all of its changes at once, so that it need not
// be refused once for each.
extension Connection {
    /// The changes whose PIN somebody else has, or under whose key another answer is kept. Those of rooms need not be asked for: their
    /// changes look for themselves, with the room locked.
    func taken(from changes: [IndexedChange], within limit: Duration) throws(StoreError) -> [Int: CommitOutcome] {
        // Whose answer is there already needs no other PIN.
        var asked: [(index: Int, statement: SQL, outcome: CommitOutcome)] = []
        for (index, marked) in changes where marked.change.basedOn == nil {
            let room = marked.room
            asked.append((index, "SELECT pin FROM pin_claim WHERE pin = \(room.pin) AND expires_at > \(room.createdAt)", .pinTaken))
        }
        for (index, marked) in changes {
            for receipt in marked.ownReceipts {
                let (owner, key) = (receipt.key.owner, receipt.key.key)
                let kept: SQL = "SELECT key FROM own_receipt WHERE owner = \(owner) AND key = \(key) AND expires_at > \(receipt.keptAt)"
                asked.append((index, kept, .conflict))
            }
        }
        let results = try run(asked.map(\.statement), within: limit)
        let taken = zip(asked, results).filter { $1.count > 0 }.map { ($0.0.index, $0.0.outcome) }
        return Dictionary(taken) { $1 }
    }

    /// The changes whose rooms somebody else has locked just now, or that are gone.
    func locked(of changes: [IndexedChange], within limit: Duration) throws(StoreError) -> [Int: CommitOutcome] {
        let updates = changes.filter { $0.marked.change.basedOn != nil }
        let rooms = Set(updates.map(\.marked.room.id)).sorted()
        // Rolled back, for there is nothing to be synced.
        let locks: [SQL] = rooms.map { "SELECT id FROM room WHERE id = \($0) FOR UPDATE SKIP LOCKED" }
        let results = try run([.begin] + locks + [.rollBack], within: limit)
        let free = Set(results.all { $0.identifier() })
        let locked = updates.filter { !free.contains($0.marked.room.id) }
        return Dictionary(locked.map { ($0.index, .conflict) }) { first, _ in first }
    }
}
