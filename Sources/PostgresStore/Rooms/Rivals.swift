internal import MenuGame
internal import UseCases

// What others have of what a batch wants, asked when the server has refused the batch: for all of its changes at once, so that it need not
// be refused once for each.
extension Connection {
    /// The changes whose PIN somebody else has, under whose key another answer is kept, or whose room is not what it has to be for an
    /// answer to be kept with it.
    func taken(from changes: [IndexedChange], within limit: Duration) throws(StoreError) -> [Int: CommitOutcome] {
        // Whose answer is there already needs no other PIN.
        var asked: [(index: Int, statement: SQL, isTaken: (Rows) -> Bool, outcome: CommitOutcome)] = []
        for (index, marked) in changes where marked.change.basedOn == nil {
            let room = marked.room
            let taken: SQL = "SELECT pin FROM pin_claim WHERE pin = \(room.pin) AND expires_at > \(room.createdAt)"
            asked.append((index, taken, { $0.count > 0 }, .pinTaken))
        }
        // What the batch itself changes before is not stored yet.
        var changed: Set<Identifier> = []
        for (index, marked) in changes where changed.insert(marked.room.id).inserted && marked.isOwned {
            guard let basedOn = marked.change.basedOn else { continue }
            let unchanged: SQL = "SELECT id FROM room WHERE id = \(marked.room.id) AND \(SQL.isStill(basedOn))"
            asked.append((index, unchanged, { $0.count == 0 }, .conflict))
        }
        for (index, marked) in changes {
            for receipt in marked.roomReceipts + marked.ownReceipts {
                let (owner, key) = (receipt.key.owner, receipt.key.key)
                let kept: SQL = "SELECT key FROM receipt WHERE owner = \(owner) AND key = \(key) AND expires_at > \(receipt.keptAt)"
                asked.append((index, kept, { $0.count > 0 }, .conflict))
            }
        }
        let results = try run(asked.map(\.statement), within: limit)
        let taken = zip(asked, results).filter { $0.isTaken($1) }.map { ($0.0.index, $0.0.outcome) }
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
