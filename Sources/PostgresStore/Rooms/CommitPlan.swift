internal import MenuGame
internal import UseCases

/// A batch as the statements of one transaction, with what each of them decides.
///
/// Every server locks in the same order: PINs, then rooms, then receipts that are in no room, each sorted. So two of them wait for one
/// another and never both at once. What is about the same stays in the order of the batch.
struct CommitPlan {
    enum Role {
        /// Gives back a room whose PIN was taken from it.
        case freePIN(MarkedChange)
        /// A unique violation is about this change alone.
        case claim(Int, CommitOutcome)
        /// Decides by the number of rows whether the change was taken.
        case update(Int)
        case commit
        case announce
        case other
    }

    private(set) var statements: [SQL] = []
    private(set) var roles: [Role] = []

    /// - Parameters:
    ///   - changes: by their index in the batch.
    ///   - isBegun: whether the transaction is open already.
    init(_ changes: [(index: Int, marked: MarkedChange)], isBegun: Bool, announcement: [SQL]) {
        if !isBegun { add(.begin) }
        let openings = changes.filter { $0.marked.change.basedOn == nil }
        for (index, marked) in openings.sorted(by: { ($0.marked.room.pin.text, $0.index) < ($1.marked.room.pin.text, $1.index) }) {
            add(marked.freePIN, .freePIN(marked))
            add(marked.claimPIN, .claim(index, .pinTaken))
        }
        for (index, marked) in changes.sorted(by: { ($0.marked.room.id, $0.index) < ($1.marked.room.id, $1.index) }) { add(marked, index) }
        let own = changes.flatMap { change in change.marked.ownReceipts.map { (change, $0) } }
        for ((index, marked), receipt) in own.sorted(by: { $0.1.key.isBefore($1.1.key) }) {
            for statement in marked.keepOwn(receipt) { add(statement, .claim(index, .conflict)) }
        }
        add(.commit, .commit)
        for statement in announcement { add(statement, .announce) }
    }

    private mutating func add(_ marked: MarkedChange, _ index: Int) {
        if let basedOn = marked.change.basedOn {
            let update = marked.updateRoom(basedOn: basedOn)
            if marked.roomReceipts.isEmpty {
                add(update, .update(index))
            } else {
                add(marked.lockRoom)
                add("\(update) AND \(marked.noneKept)", .update(index))
            }
        } else {
            add(marked.insertRoom, .claim(index, .pinTaken))
        }
        // Before what closes a room.
        for statement in marked.notices { add(statement) }
        for event in marked.change.events { for statement in marked.statements(for: event) { add(statement) } }
        for receipt in marked.roomReceipts { for statement in marked.keep(receipt) { add(statement, .claim(index, .conflict)) } }
    }

    private mutating func add(_ statement: SQL, _ role: Role = .other) {
        statements.append(statement)
        roles.append(role)
    }
}

extension ReceiptKey {
    fileprivate func isBefore(_ other: ReceiptKey) -> Bool {
        let (ours, theirs) = (owner.bytes + key.utf8, other.owner.bytes + other.key.utf8)
        return ours.lexicographicallyPrecedes(theirs)
    }
}
