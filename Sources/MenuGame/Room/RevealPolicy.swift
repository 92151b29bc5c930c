/// Who or what reveals a room's result; the conditions compose, and any one of them suffices.
public struct RevealPolicy: Hashable, Sendable {
    public var host: Bool
    public var anyMember: Bool
    /// By the clock, at the room's deadline.
    public var deadline: Bool
    /// As soon as so many members have submitted.
    public var submissions: Int?

    public init(host: Bool = true, anyMember: Bool = false, deadline: Bool = false, submissions: Int? = nil) {
        self.host = host
        self.anyMember = anyMember
        self.deadline = deadline
        self.submissions = submissions
    }

    /// Whether anything at all can ever reveal the room.
    public var canBeMet: Bool { host || anyMember || deadline || submissions != nil }
}
