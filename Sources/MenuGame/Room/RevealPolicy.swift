/// Who or what reveals a room's result; the conditions compose, and any one of them suffices.
///
/// With nobody's answers in, none of them reveals anything.
public struct RevealPolicy: Hashable, Sendable {
    /// On the host's request.
    public var host: Bool
    /// On the request of any member, the host among them.
    public var anyMember: Bool
    /// On the request of somebody who does not say who they are. Only for clients that cannot.
    public var anyone: Bool
    /// By the clock, at the room's deadline. Where there were no answers by then, the host may reveal.
    public var deadline: Bool
    /// As soon as so many members have submitted, 1 or more; `nil` where their number reveals nothing.
    public var submissions: Int?

    public init(host: Bool = true, anyMember: Bool = false, anyone: Bool = false, deadline: Bool = false, submissions: Int? = nil) {
        self.host = host
        self.anyMember = anyMember
        self.anyone = anyone
        self.deadline = deadline
        self.submissions = submissions
    }

    /// Whether anything at all can ever reveal the room.
    public var canBeMet: Bool { host || anyMember || anyone || deadline || submissions != nil }
}
