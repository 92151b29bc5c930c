/// One thing that happened in a room: what a store has to write down. Each raises the room's sequence by one.
public enum RoomEvent: Hashable, Sendable {
    /// A new member, without a submission.
    case joined(Member)
    /// `nil` for a member who no longer wants a name.
    case renamed(MemberID, Nickname?)
    /// A member left, and their submission went with them.
    case left(MemberID)
    /// A host removed a member, whose token may not come back; their submission went with them.
    case removed(MemberID, TokenHash)
    /// `nil` where the host was the last to leave.
    case handedOver(to: MemberID?)
    /// A member's first submission of the round, or the first after they withdrew one.
    case submitted(Submission, by: MemberID)
    /// The same submission with its next revision, in place of the former.
    case resubmitted(Submission, by: MemberID)
    case withdrawn(SubmissionID, by: MemberID)
    case revealed(RoundResult)
    /// One of a result's menus was chosen.
    case decided(Identifier, round: Int)
    /// Another round began, and the submissions of the one before are gone. The room's deadline may be another.
    case roundBegan(Int)
    /// The room is no more, and nothing can come after it.
    case closed
}
