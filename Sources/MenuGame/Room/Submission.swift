/// The number of a submission within a room; never given out again.
public struct SubmissionID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int

    public init(number: Int) { self.number = number }

    public var description: String { "s_\(number)" }
}

/// What a member handed in. Replacing the answers keeps its identity and raises the revision; taking it back ends it.
public struct Submission: Hashable, Sendable {
    public let id: SubmissionID
    public let revision: Int
    public let sheet: AnswerSheet
    /// When this revision was handed in.
    public let submittedAt: Instant

    public init(id: SubmissionID, revision: Int, sheet: AnswerSheet, submittedAt: Instant) {
        self.id = id
        self.revision = revision
        self.sheet = sheet
        self.submittedAt = submittedAt
    }
}
