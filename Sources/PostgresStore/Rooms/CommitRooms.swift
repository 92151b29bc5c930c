internal import MenuGame
internal import UseCases

/// What came of a batch.
struct Committed {
    var outcomes: [CommitOutcome]
    /// Whether the other servers have been told.
    var isAnnounced = true
    /// What is to be cleared away where it was not known before: a PIN whose room was closed, a room whose PIN was taken.
    var leftovers: [SQL] = []
}

extension Connection {
    /// Writes all of `batch` in one transaction and one round trip, and tells the other servers.
    ///
    /// Where somebody else has a PIN or has kept an answer, the server refuses the whole transaction; then it is run again without the change
    /// that this was about. That happens to somebody who draws a taken PIN and to somebody who asks two servers at once.
    ///
    /// - Parameter mark: nobody else's, and as many after it as there are changes: what this batch has written is told by it.
    func commit(_ batch: [RoomChange], announcingOn channel: String, mark: Int64, within limit: Duration) throws(StoreError) -> Committed {
        let deadline = ContinuousClock.now + limit
        let marked = batch.enumerated().map { ($0, MarkedChange(change: $1, mark: mark + Int64($0))) }
        var lost: [Int: CommitOutcome] = [:]
        while true {
            let rest = marked.filter { lost[$0.0] == nil }
            let announcement = Announcement.statements(for: rest.map(\.1.change), on: channel)
            let plan = CommitPlan(rest, isBegun: isInTransaction, announcement: announcement)
            let warned = warnings
            let answers = try exchange(plan.statements, within: ContinuousClock.now.duration(to: deadline))
            var committed = Committed(outcomes: batch.indices.map { lost[$0] ?? .stored })
            guard let (role, refusal) = try plan.read(answers, into: &committed) else {
                try checkCommit(plan.commit(in: answers), since: warned)
                for (index, marked) in rest where marked.room.isClosed && committed.outcomes[index] == .stored {
                    committed.leftovers.append("DELETE FROM pin_claim WHERE pin = \(marked.room.pin) AND room = \(marked.room.id)")
                }
                return committed
            }
            recover(from: refusal, within: ContinuousClock.now.duration(to: deadline))
            guard isUsable else { throw refusal.error }
            switch role {
            case .claim(let index, let outcome) where refusal.isUniqueViolation: lost[index] = outcome
            case _ where refusal.isClash: return Committed(outcomes: batch.indices.map { lost[$0] ?? .conflict })
            case _ where refusal.isDivisionByZero: throw StoreError("database: an event of a room changed nothing")
            default: throw refusal.error
            }
        }
    }
}

extension CommitPlan {
    /// Reads what the server answered.
    ///
    /// - Returns: the statement that was refused, with which all are.
    fileprivate func read(_ answers: [Answer], into committed: inout Committed) throws(StoreError) -> (Role, Refusal)? {
        for (role, answer) in zip(roles, answers) {
            switch (role, answer) {
            case (.announce, .done): break
            case (.announce, _): committed.isAnnounced = false
            case (_, .refused(let refusal)): return (role, refusal)
            case (.update(let index), .done(let rows)): if rows.affected == 0 { committed.outcomes[index] = .conflict }
            case (.freePIN(let marked), .done(let rows)):
                for room in rows.all({ $0.identifier() }) {
                    committed.leftovers.append("DELETE FROM room WHERE id = \(room) AND expires_at <= \(marked.room.createdAt)")
                }
            default: break
            }
        }
        return nil
    }

    fileprivate func commit(in answers: [Answer]) -> Rows? {
        for case (.commit, .done(let rows)) in zip(roles, answers) { return rows }
        return nil
    }
}
