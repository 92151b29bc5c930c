/// One thing that happened in a room: what a store has to write down. Each raises the room's sequence by one.
public enum RoomEvent: Hashable, Sendable {
    case joined(Member)
    case renamed(MemberID, Nickname?)
    /// A member left, and their submission went with them.
    case left(MemberID)
    case handedOver(to: MemberID?)
    case submitted(Submission, by: MemberID)
    case resubmitted(Submission, by: MemberID)
    case withdrawn(SubmissionID, by: MemberID)
    case revealed(RoundResult)
}
