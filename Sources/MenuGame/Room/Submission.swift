/// The number of a submission within a room, from 1 on; never given out again. Outside it reads `s_1`.
public struct SubmissionID: Hashable, Sendable, CustomStringConvertible {
    public let number: Int

    public init(number: Int) { self.number = number }

    /// What it has before its number outside.
    public static var prefix: StaticString { "s_" }

    public var description: String { "\(Self.prefix)\(number)" }
}

/// What a member handed in. Replacing the answers keeps its identity and raises the revision; taking it back ends it.
public struct Submission: Hashable, Sendable {
    public let id: SubmissionID
    /// Rises with every replacement. Drawn from one counter for the whole room, so that no two states of anybody's answers share one,
    /// also not when they were taken back in between.
    public let revision: Int
    /// Made with the room's catalogue.
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
