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
        let place = try place(of: token, at: now)
        let member = members[place].id
        let former = members[place].submission?.id
        submissionCounter += 1
        let submission = Submission(
            id: former ?? SubmissionID(number: submissionCounter), revision: submissionCounter, sheet: sheet, submittedAt: now)
        members[place].submission = submission
        if former == nil {
            submissionCount += 1
            record(.submitted(submission, by: member))
        } else {
            record(.resubmitted(submission, by: member))
        }
        submissionsSequence = sequence
        return (submission, isNew: former == nil)
    }

    /// Takes a submission back. Where there is none, none is left: that is no fault.
    ///
    /// - Throws: `alreadyRevealed`.
    public mutating func withdraw(_ token: TokenHash) throws(Refusal) {
        guard phase == .open else { throw .alreadyRevealed }
        guard let place = places[token], let submission = members[place].submission else { return }
        submissionCount -= 1
        members[place].submission = nil
        record(.withdrawn(submission.id, by: members[place].id))
        submissionsSequence = sequence
    }
}
