/// Why a room does not do what it was asked to.
public enum Refusal: Error, Hashable, Sendable, CaseIterable {
    case notHost
    case notMember
    case roomFull
    case submissionNotFound
    case alreadyRevealed
    case notRevealed
    case noSubmissions
}
