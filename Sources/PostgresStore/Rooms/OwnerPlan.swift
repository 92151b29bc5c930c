internal import MenuGame
internal import UseCases

/// What a batch does to the tables that are spread by owner: kept answers, and who has opened which room.
///
/// Nothing there can depend on what becomes of a room, which is elsewhere. So a change that writes there refuses the whole transaction
/// where it is not taken.
struct OwnerPlan {
    struct Step {
        let statement: SQL
        let index: Int
    }

    /// What is done to one kept answer.
    private struct Action {
        enum Kind {
            /// It is kept, and goes with a room where one is given.
            case keep(Receipt, in: Identifier?)
            /// It goes with its room.
            case delete(in: Identifier)
        }

        let key: ReceiptKey
        let index: Int
        let kind: Kind
        /// As the database sorts its rows.
        let order: [UInt8]

        init(_ key: ReceiptKey, of index: Int, _ kind: Kind) {
            (self.key, self.index, self.kind) = (key, index, kind)
            order = key.owner.bytes + key.key.utf8
        }

        var isDeletion: Bool { if case .delete = kind { true } else { false } }

        func isBefore(_ other: Action) -> Bool {
            order == other.order ? index < other.index : order.lexicographicallyPrecedes(other.order)
        }
    }

    private(set) var steps: [Step] = []

    init(_ changes: [IndexedChange]) {
        // Whoever writes one of these has its room to itself.
        for (index, marked) in changes { if let statement = marked.opening { steps.append(Step(statement: statement, index: index)) } }
        var rest = changes.flatMap(Self.actions).sorted { $0.isBefore($1) }[...]
        while let action = rest.first {
            switch action.kind {
            case .keep(let receipt, let room):
                steps += receipt.keep(in: room).map { Step(statement: $0, index: action.index) }
                rest = rest.dropFirst()
            case .delete(let room):
                // One statement for all of somebody's with nothing between them: a room may have thousands.
                let alike = rest.prefix { $0.isDeletion && $0.key.owner == action.key.owner && $0.index == action.index }
                let statement = Receipt.delete(alike.map(\.key.key), of: action.key.owner, in: room)
                steps.append(Step(statement: statement, index: action.index))
                rest = rest.dropFirst(alike.count)
            }
        }
    }

    private static func actions(_ change: IndexedChange) -> [Action] {
        let (index, marked) = change
        return marked.roomReceipts.map { Action($0.key, of: index, .keep($0, in: marked.room.id)) }
            + marked.ownReceipts.map { Action($0.key, of: index, .keep($0, in: nil)) }
            + marked.closedKeys.map { Action($0, of: index, .delete(in: marked.room.id)) }
    }
}

extension MarkedChange {
    /// Whether it writes to tables that are spread by owner. Openings do so too, but one that is not taken is a unique violation anyway.
    var isOwned: Bool { isClosing || !roomReceipts.isEmpty }

    fileprivate var opening: SQL? {
        if isClosing { return "DELETE FROM opening WHERE owner = \(room.openedBy) AND room = \(room.id)" }
        guard change.basedOn == nil, !room.isClosed else { return nil }
        return "INSERT INTO opening (owner, room, expires_at) VALUES (\(room.openedBy), \(room.id), \(room.expiresAt))"
    }
}
