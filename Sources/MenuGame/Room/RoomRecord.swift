/// A room as plain values, the way a store keeps it. Each means what it does in `Room`; answers still go by the names in them, which
/// `Room(_:catalogue:)` looks up.
public struct RoomRecord: Hashable, Sendable {
    public var id: Identifier
    public var pin: PIN
    /// Fingerprint of the catalogue that it is played with.
    public var catalogue: String
    public var createdAt: Instant
    public var expiresAt: Instant
    public var revealWhen: RevealPolicy
    public var deadlineAt: Instant?
    public var openedBy: TokenHash
    public var round: Int
    public var sequence: Int
    public var host: MemberID?
    public var memberCounter: Int
    public var submissionCounter: Int
    /// In the order of joining.
    public var members: [Member] = []
    public var removed: Set<TokenHash> = []
    /// One a revealed round, in order.
    public var results: [RoundResult] = []

    /// `MenuGame.Member`, with what they submitted in the current round; `nil` where they have not.
    public struct Member: Hashable, Sendable {
        public var id: MemberID
        public var token: TokenHash
        public var nickname: Nickname?
        public var joinedAt: Instant
        public var submission: Submission?

        public init(id: MemberID, token: TokenHash, nickname: Nickname?, joinedAt: Instant, submission: Submission? = nil) {
            self.id = id
            self.token = token
            self.nickname = nickname
            self.joinedAt = joinedAt
            self.submission = submission
        }
    }

    /// `MenuGame.Submission`, with ids in place of the catalogue's indices.
    public struct Submission: Hashable, Sendable {
        public var id: SubmissionID
        public var revision: Int
        public var answers: AnswerDraft
        public var submittedAt: Instant

        public init(id: SubmissionID, revision: Int, answers: AnswerDraft, submittedAt: Instant) {
            self.id = id
            self.revision = revision
            self.answers = answers
            self.submittedAt = submittedAt
        }
    }

    public init(
        id: Identifier, pin: PIN, catalogue: String, createdAt: Instant, expiresAt: Instant, revealWhen: RevealPolicy,
        deadlineAt: Instant?, openedBy: TokenHash, round: Int, sequence: Int, host: MemberID?, memberCounter: Int, submissionCounter: Int
    ) {
        self.id = id
        self.pin = pin
        self.catalogue = catalogue
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revealWhen = revealWhen
        self.deadlineAt = deadlineAt
        self.openedBy = openedBy
        self.round = round
        self.sequence = sequence
        self.host = host
        self.memberCounter = memberCounter
        self.submissionCounter = submissionCounter
    }
}
