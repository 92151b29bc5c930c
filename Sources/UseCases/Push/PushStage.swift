/// What happened in a room that phones are told of. The names are those that the clients see.
public enum PushStage: String, CaseIterable, Sendable {
    /// Every member has answered; the host may reveal.
    case allSubmitted = "all-submitted"
    /// The result is there.
    case revealed
    /// One of its menus was chosen.
    case decided
    /// The room's day is almost over, and nothing has been revealed.
    case expiring
    /// The room is no more, and nothing was decided in it.
    case over

    /// Whether the game is over with it, so that what a lock screen shows has to go.
    public var isFinal: Bool { self == .decided || self == .over }

    /// Who is told of it by a notification.
    public enum Recipients: Hashable, Sendable {
        case host, members, nobody
    }

    /// Of two at one sequence of a room, the higher is the newer. Kept in stores.
    var rank: Int64 {
        switch self {
        case .allSubmitted: 0
        case .expiring: 1
        case .revealed: 2
        case .decided: 3
        case .over: 4
        }
    }

    /// Live activities of the room hear of every stage.
    public var recipients: Recipients {
        switch self {
        case .allSubmitted, .expiring: .host
        case .revealed, .decided: .members
        case .over: .nobody
        }
    }
}
