/// One member's voice at a reveal.
public struct Ballot: Hashable, Sendable {
    /// Made with the catalogue that the rule is applied with.
    public let sheet: AnswerSheet
    /// Within `Limits.weights` (S3). Rooms weigh everybody alike: a round knows nothing of who has missed out in others.
    public let weight: Int

    /// - Parameter weight: has to be within `Limits.weights`; this is not checked.
    public init(_ sheet: AnswerSheet, weight: Int = 1) {
        self.sheet = sheet
        self.weight = weight
    }
}
