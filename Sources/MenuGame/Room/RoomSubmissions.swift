extension Room {
    /// Takes somebody's answers, in place of any that they gave before; lets them in if need be.
    ///
    /// - Parameter sheet: made with the room's own catalogue.
    /// - Returns: the submission, and whether it is a new one and not a revision.
    /// - Throws: `alreadyRevealed`; `roomFull` or `removed`, for somebody new.
    public mutating func submit(
        _ sheet: AnswerSheet, by token: TokenHash, at now: Instant
    ) throws(Refusal) -> (submission: Submission, isNew: Bool) {
        guard phase == .open else { throw .alreadyRevealed }
        _ = try join(token, nickname: nil, at: now)
        guard let place = places[token] else { throw .notMember }
        let member = members[place].id
        let submission: Submission
        submissionCounter += 1
        let isNew = members[place].submission == nil
        if let former = members[place].submission {
            submission = Submission(id: former.id, revision: submissionCounter, sheet: sheet, submittedAt: now)
            tally.replace(former.sheet, by: sheet, in: catalogue)
            record(.resubmitted(submission, by: member))
        } else {
            submission = Submission(
                id: SubmissionID(number: submissionCounter), revision: submissionCounter, sheet: sheet, submittedAt: now)
            tally.add(sheet, in: catalogue)
            record(.submitted(submission, by: member))
        }
        members[place].submission = submission
        submissionsSequence = sequence
        return (submission, isNew)
    }

    /// Takes a submission back. Where there is none, none is left: that is no fault.
    ///
    /// - Throws: `alreadyRevealed`.
    public mutating func withdraw(_ token: TokenHash) throws(Refusal) {
        guard phase == .open else { throw .alreadyRevealed }
        guard let place = places[token], let submission = members[place].submission else { return }
        tally.remove(submission.sheet, in: catalogue)
        members[place].submission = nil
        record(.withdrawn(submission.id, by: members[place].id))
        submissionsSequence = sequence
    }
}
