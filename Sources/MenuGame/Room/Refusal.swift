/// Why a room does not do what it was asked to.
public enum Refusal: Error, Hashable, Sendable, CaseIterable {
    case notHost
    case notMember
    case roomFull
    case alreadyRevealed
    case noSubmissions
}
