/// One thing that happened in a room: what a store has to write down. Each raises the room's sequence by one.
public enum RoomEvent: Hashable, Sendable {
    /// A new member, without a submission.
    case joined(Member)
    /// `nil` for a member who no longer wants a name.
    case renamed(MemberID, Nickname?)
    /// A member left, and their submission went with them.
    case left(MemberID)
    /// `nil` where the host was the last to leave.
    case handedOver(to: MemberID?)
    /// A member's first submission of the round, or the first after they withdrew one.
    case submitted(Submission, by: MemberID)
    /// The same submission with its next revision, in place of the former.
    case resubmitted(Submission, by: MemberID)
    case withdrawn(SubmissionID, by: MemberID)
    case revealed(RoundResult)
}
