internal import MenuGame
internal import UseCases

/// A batch as the statements of one transaction, with what each of them decides.
///
/// Every server locks in the same order: PINs, then rooms, then receipts that are in no room, each sorted. So two of them wait for one
/// another and never both at once. What is about the same stays in the order of the batch.
struct CommitPlan {
    struct Step {
        let statement: SQL
        var role = Role.other
        /// In the batch, the change that it belongs to.
        var index: Int?
    }

    enum Role {
        /// Gives back a room whose PIN was taken from it, as of now.
        case freePIN(Instant)
        /// A unique violation is about its change alone.
        case claim(CommitOutcome)
        /// Decides by the number of rows whether its change was taken.
        case update
        case commit
        case announce
        case other
    }

    private(set) var steps: [Step] = []

    /// - Parameter begin: opens the transaction; nothing where one is open already.
    init(_ changes: [IndexedChange], begin: [SQL], announcement: [SQL]) {
        steps += begin.map { Step(statement: $0) }
        let openings = changes.filter { $0.marked.change.basedOn == nil }
        for (index, marked) in openings.sorted(by: { ($0.marked.room.pin.text, $0.index) < ($1.marked.room.pin.text, $1.index) }) {
            add(marked.freePIN, .freePIN(marked.room.createdAt), index)
            add(marked.claimPIN, .claim(.pinTaken), index)
        }
        for (index, marked) in changes.sorted(by: { ($0.marked.room.id, $0.index) < ($1.marked.room.id, $1.index) }) { add(marked, index) }
        let own = changes.flatMap { change in change.marked.ownReceipts.map { (change, $0) } }
        for ((index, marked), receipt) in own.sorted(by: { $0.1.key.isBefore($1.1.key) }) {
            for statement in marked.keepOwn(receipt) { add(statement, .claim(.conflict), index) }
        }
        steps.append(Step(statement: .commit, role: .commit))
        steps += announcement.map { Step(statement: $0, role: .announce) }
    }

    private mutating func add(_ marked: MarkedChange, _ index: Int) {
        if let basedOn = marked.change.basedOn {
            let update = marked.updateRoom(basedOn: basedOn)
            if marked.roomReceipts.isEmpty {
                add(update, .update, index)
            } else {
                add(marked.lockRoom, .other, index)
                add("\(update) AND \(marked.noneKept)", .update, index)
            }
        } else {
            add(marked.insertRoom, .claim(.pinTaken), index)
        }
        // Before what closes a room.
        for statement in marked.notices { add(statement, .other, index) }
        for event in marked.change.events { for statement in marked.statements(for: event) { add(statement, .other, index) } }
        for receipt in marked.roomReceipts { for statement in marked.keep(receipt) { add(statement, .claim(.conflict), index) } }
    }

    private mutating func add(_ statement: SQL, _ role: Role, _ index: Int) {
        steps.append(Step(statement: statement, role: role, index: index))
    }
}

extension ReceiptKey {
    fileprivate func isBefore(_ other: ReceiptKey) -> Bool {
        let (ours, theirs) = (owner.bytes + key.utf8, other.owner.bytes + other.key.utf8)
        return ours.lexicographicallyPrecedes(theirs)
    }
}
