/// One member's voice at a reveal.
public struct Ballot: Hashable, Sendable {
    public let sheet: AnswerSheet
    /// Within `Limits.weights`; 1 unless the member has missed out before (S3).
    public let weight: Int

    public init(_ sheet: AnswerSheet, weight: Int = 1) {
        self.sheet = sheet
        self.weight = weight
    }
}
