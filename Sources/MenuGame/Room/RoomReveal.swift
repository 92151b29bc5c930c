extension Room {
    /// Since when, or from when on, the clock or the number of submissions says that the result is to be revealed; `nil` where neither
    /// does. O(members).
    ///
    /// A deadline before which nobody has submitted is spent, and the room stays open.
    public var dueAt: Instant? {
        guard phase == .open, submissionCount > 0 else { return nil }
        let submitted = members.lazy.compactMap { $0.submission?.submittedAt }
        var instants: [Instant] = []
        if let enough = revealWhen.submissions, submissionCount >= enough, let last = submitted.max() { instants.append(last) }
        if revealWhen.deadline, let deadlineAt, submitted.contains(where: { $0 < deadlineAt }) { instants.append(deadlineAt) }
        return instants.min()
    }

    /// Whether `dueAt` has come. Asked on every command, so rooms that only people reveal are answered without a look at the members.
    public func isDue(at now: Instant) -> Bool {
        guard revealWhen.deadline || revealWhen.submissions != nil else { return false }
        return dueAt.map { $0 <= now } ?? false
    }

    /// Whether this caller may have the result revealed: nobody must be left with a room that nothing can reveal any more.
    ///
    /// - Parameter token: `nil` for somebody who does not say who they are.
    /// - Throws: `notMember` or `notHost` where not. Whether there is anything to reveal is `reveal`'s to say.
    public func mayReveal(_ token: TokenHash?, at now: Instant) throws(Refusal) {
        guard let token else {
            guard revealWhen.anyone else { throw .notHost }
            return
        }
        guard let member = member(token) else { throw revealWhen.anyMember ? .notMember : .notHost }
        // A member who could not have done it may still ask for what has been done.
        guard result == nil else { return }
        // A later round may have no deadline, and then that reveals nothing either.
        let isDeadlineSpent = revealWhen.deadline && deadlineAt.map { $0 <= now } ?? true
        guard revealWhen.anyMember || (revealWhen.host || isDeadlineSpent) && isHost(member.id) else { throw .notHost }
    }

    /// What the rule makes of the submissions as they are; menus that the room has seen in earlier rounds come last (S4). Pure, and the one
    /// computation here that takes time.
    public func recommendation() -> Recommendation {
        let ballots = members.compactMap { $0.submission.map { Ballot($0.sheet) } }
        return Recommendation(of: ballots, in: catalogue, seed: id.text, avoiding: shown(before: round))
    }

    /// A result's outcome, derived again from the ballots that were kept with it: the same as the one that was frozen with it, for good.
    ///
    /// - Throws: where its ballots are not of this room's catalogue.
    public func derivedAgain(_ result: RoundResult) throws(AnswerFaults) -> Outcome {
        var ballots: [Ballot] = []
        for draft in result.ballots { ballots.append(Ballot(try AnswerSheet(draft, in: catalogue))) }
        let recommendation = Recommendation(of: ballots, in: catalogue, seed: result.outcome.seed, avoiding: shown(before: result.round))
        return Outcome(recommendation, in: catalogue, seed: result.outcome.seed, ofGroup: true)
    }

    private func shown(before round: Int) -> Set<Identifier> {
        Set(results.lazy.filter { $0.round < round }.flatMap { $0.outcome.menus.map(\.id) })
    }

    /// Freezes the result. Once revealed, it stays.
    ///
    /// - Parameter computed: of the submissions as they are (check `submissionsSequence`); computed here where it is `nil`.
    /// - Returns: the round's result, the earlier one if there is one.
    /// - Throws: `noSubmissions`.
    public mutating func reveal(_ computed: Recommendation? = nil, at now: Instant) throws(Refusal) -> RoundResult {
        if let result { return result }
        guard submissionCount > 0 else { throw .noSubmissions }
        let result = RoundResult(
            round: round, sequence: sequence + 1, revealedAt: now,
            outcome: Outcome(computed ?? recommendation(), in: catalogue, seed: id.text, ofGroup: true), ballots: anonymousBallots())
        results.append(result)
        record(.revealed(result))
        return result
    }

    /// The submissions without their givers, sorted by what they say.
    private func anonymousBallots() -> [AnswerDraft] {
        members.compactMap { $0.submission?.sheet }.sorted().map { $0.draft(in: catalogue) }
    }
}
