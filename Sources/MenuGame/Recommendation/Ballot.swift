/// One member's voice at a reveal.
public struct Ballot: Hashable, Sendable {
    /// Made with the catalogue that the rule is applied with.
    public let sheet: AnswerSheet
    /// Within `Limits.weights`; 1 unless the member has missed out before (S3).
    public let weight: Int

    /// - Parameter weight: has to be within `Limits.weights`; this is not checked.
    public init(_ sheet: AnswerSheet, weight: Int = 1) {
        self.sheet = sheet
        self.weight = weight
    }
}
