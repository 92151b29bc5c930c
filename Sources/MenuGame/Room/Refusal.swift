/// Why a room does not do what it was asked to.
public enum Refusal: Error, Hashable, Sendable, CaseIterable {
    /// The caller is not the host, whose alone this is.
    case notHost
    /// The caller is the host, and the room reveals its result by itself.
    case notByHand
    /// The caller is not in the room.
    case notMember
    /// A host has removed the caller, who may not come back into this room.
    case removed
    /// `Limits.membersPerRoom` are in already.
    case roomFull
    /// There is no such member, and never was.
    case unknownMember
    /// The round has its result, and its answers are what it was made of.
    case alreadyRevealed
    /// Nobody has submitted: there is nothing to reveal.
    case noSubmissions
    /// The caller has no submission that could be edited.
    case noSubmission
    /// The round has no result yet.
    case notRevealed
    /// The menu is none of those that the round's result has.
    case unknownMenu
    /// The round has been decided, for another menu.
    case alreadyDecided
    /// The deadline is over already, or not before the room's end.
    case badDeadline
    /// As many rounds were played, or as many members removed, as a room can remember.
    case exhausted

    /// Whether it is about who the caller is or what is wrong with the request, and not about the room.
    public var isOfRequest: Bool { [.notHost, .notByHand, .notMember, .removed, .badDeadline].contains(self) }
}
