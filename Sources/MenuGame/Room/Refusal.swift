/// Why a room does not do what it was asked to.
public enum Refusal: Error, Hashable, Sendable, CaseIterable {
    /// The caller is not the host, whose alone this is.
    case notHost
    /// The caller is not in the room.
    case notMember
    /// `Limits.membersPerRoom` are in already.
    case roomFull
    /// The round has its result, and its answers are what it was made of.
    case alreadyRevealed
    /// Nobody has submitted: there is nothing to reveal.
    case noSubmissions
}
