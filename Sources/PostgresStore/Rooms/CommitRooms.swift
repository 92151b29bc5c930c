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
    /// Where somebody else has a PIN or has kept an answer, the server refuses the whole transaction. So it does where somebody has locked
    /// a room for too long, or has changed one with which an answer was to be kept. Then it is run again without the changes that this is
    /// so of. That happens to somebody who draws a taken PIN and to somebody who asks two servers at once. Where rooms are closed, one more
    /// round trip before it finds the answers that go with them.
    func commit(_ batch: [RoomChange], announcingOn channel: String, within limits: TimeLimits) throws(StoreError) -> Committed {
        guard batch.allSatisfy({ $0.basedOn == nil || $0.receipts.allSatisfy(\.isOfRoom) }) else {
            throw StoreError("a receipt of no room came with a change of one")
        }
        let deadline = ContinuousClock.now + limits.write
        var left: Duration { ContinuousClock.now.duration(to: deadline) }
        var marked: [IndexedChange] = batch.enumerated().map { ($0, MarkedChange($1)) }
        try findReceipts(of: &marked, within: left)
        var lost: [Int: CommitOutcome] = [:]
        while true {
            var committed = Committed(outcomes: batch.indices.map { lost[$0] ?? .stored })
            let rest = marked.filter { lost[$0.index] == nil }
            guard !rest.isEmpty else { return committed }
            let announcement = Announcement.statements(for: rest.map(\.marked.change), on: channel)
            let begin = isInTransaction ? [] : [.begin, SQL.limitLocks(limits.commitLock)]
            let plan = CommitPlan(rest, begin: begin, announcement: announcement)
            let warned = warnings
            let answers = try exchange(plan.steps.map(\.statement), within: left)
            guard let (step, refusal) = try plan.read(answers, into: &committed) else {
                try checkCommit(plan.commit(in: answers), since: warned)
                for (index, marked) in rest where marked.room.isClosed && committed.outcomes[index] == .stored {
                    committed.leftovers.append("DELETE FROM pin_claim WHERE pin = \(marked.room.pin) AND room = \(marked.room.id)")
                }
                return committed
            }
            recover(from: refusal, within: left)
            guard isUsable else { throw refusal.error }
            switch (step.role, step.index) {
            case (.claim(let outcome), let index?) where refusal.isUniqueViolation || refusal.isDivisionByZero:
                lost[index] = outcome
                lost.merge(try taken(from: rest, within: left)) { $1 }
            case (_, let index?) where refusal.isLockTimeout:
                lost[index] = .conflict
                lost.merge(try locked(of: rest, within: left)) { $1 }
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
    /// - Returns: the step that was refused, with which all are.
    fileprivate func read(_ answers: [Answer], into committed: inout Committed) throws(StoreError) -> (Step, PostgresError)? {
        for (step, answer) in zip(steps, answers) {
            switch (step.role, answer) {
            case (.announce, .done): break
            case (.announce, _): committed.isAnnounced = false
            case (_, .refused(let refusal)): return (step, refusal)
            case (.update, .done(let rows)): if let index = step.index, rows.affected == 0 { committed.outcomes[index] = .conflict }
            case (.freePIN(let now), .done(let rows)):
                for room in rows.all({ $0.identifier() }) { committed.leftovers += SQL.deleteExpired(room, at: now) }
            default: break
            }
        }
        return nil
    }

    fileprivate func commit(in answers: [Answer]) -> Rows? {
        for case (.commit, .done(let rows)) in zip(steps.map(\.role), answers) { return rows }
        return nil
    }
}
