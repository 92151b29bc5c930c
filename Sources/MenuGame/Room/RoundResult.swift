/// The result of a round, frozen at the reveal with every word that is shown of it, so that it stays the same whatever becomes of the
/// catalogue.
public struct RoundResult: Hashable, Sendable {
    /// From 1 on.
    public let round: Int
    /// The room's sequence with which it was revealed.
    public let sequence: Int
    /// When it was revealed: where the clock did it, the instant that it was due at.
    public let revealedAt: Instant
    /// What is shown, word for word.
    public let outcome: Outcome
    /// The answers that were counted, in an order that tells nothing of who gave them: with the seed, all it takes to derive it again.
    public let ballots: [AnswerDraft]
    /// Which of its menus the host chose; `nil` while none is.
    public internal(set) var decision: Identifier?

    public init(
        round: Int, sequence: Int, revealedAt: Instant, outcome: Outcome, ballots: [AnswerDraft], decision: Identifier? = nil
    ) {
        self.round = round
        self.sequence = sequence
        self.revealedAt = revealedAt
        self.outcome = outcome
        self.ballots = ballots
        self.decision = decision
    }
}
