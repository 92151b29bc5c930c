internal import MenuGame
internal import UseCases

/// A batch as the statements of one transaction, with what each of them decides.
///
/// Every server locks in the same order: PINs, then rooms, then kept answers, each sorted. So two of them wait for one another and never
/// both at once. What is about the same stays in the order of the batch.
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
        /// A unique violation is about its change alone, and so is a division by zero, which says that it is not taken.
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
        for step in OwnerPlan(changes).steps { add(step.statement, .claim(.conflict), step.index) }
        steps.append(Step(statement: .commit, role: .commit))
        steps += announcement.map { Step(statement: $0, role: .announce) }
    }

    private mutating func add(_ marked: MarkedChange, _ index: Int) {
        if let basedOn = marked.change.basedOn {
            var update = marked.updateRoom(basedOn: basedOn)
            if marked.isClosing {
                add(marked.lockRoom, .other, index)
                update = "\(update) AND \(marked.isAllFound)"
            }
            if marked.isOwned { add(SQL.orRefuse(update), .claim(.conflict), index) } else { add(update, .update, index) }
        } else {
            add(marked.insertRoom, .claim(.pinTaken), index)
        }
        // Before what closes a room.
        for statement in marked.notices { add(statement, .other, index) }
        for event in marked.change.events { for statement in marked.statements(for: event) { add(statement, .other, index) } }
        for receipt in marked.roomReceipts { add(marked.note(receipt), .other, index) }
    }

    private mutating func add(_ statement: SQL, _ role: Role, _ index: Int) {
        steps.append(Step(statement: statement, role: role, index: index))
    }
}

extension SQL {
    /// An update of one row that refuses the whole transaction, by a division by zero, where there is no such row.
    fileprivate static func orRefuse(_ update: SQL) -> SQL { "WITH done AS (\(update) RETURNING 1) SELECT 1 / count(*) FROM done" }
}
