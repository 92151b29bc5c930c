extension Room {
    /// Takes somebody's answers, in place of any that they gave before; lets them in if need be.
    ///
    /// - Parameter sheet: made with the room's own catalogue.
    /// - Returns: the submission, and whether it is a new one and not a revision.
    /// - Throws: `alreadyRevealed`; `roomFull`, for somebody new.
    public mutating func submit(
        _ sheet: AnswerSheet, by token: TokenHash, at now: Instant
    ) throws(Refusal) -> (submission: Submission, isNew: Bool) {
        guard phase == .open else { throw .alreadyRevealed }
        _ = try join(token, nickname: nil, at: now)
        guard let place = places[token] else { throw .notMember }
        let member = members[place].id
        let submission: Submission
        if let former = members[place].submission {
            submission = Submission(id: former.id, revision: former.revision + 1, sheet: sheet, submittedAt: now)
            tally.remove(former.sheet, in: catalogue)
            record(.resubmitted(submission, by: member))
        } else {
            submissionCounter += 1
            submission = Submission(id: SubmissionID(number: submissionCounter), revision: 1, sheet: sheet, submittedAt: now)
            record(.submitted(submission, by: member))
        }
        tally.add(sheet, in: catalogue)
        members[place].submission = submission
        submissionsSequence = sequence
        return (submission, submission.revision == 1)
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
