import HTTP

/// The paths that the shipped app asks for. They are answered only by a server that was told to.
enum LegacyRoute: Hashable, Sendable {
    case randomMenu
    case groups
    case solo
    case group(pin: String)
    case wait(pin: String)
    case result(pin: String)

    /// - Parameter segments: of the path, decoded.
    init?(_ segments: [String]) {
        switch segments.count {
        case 1 where segments[0] == "group": self = .groups
        case 2 where segments == ["menu", "random"]: self = .randomMenu
        case 2 where segments == ["group", "solo"]: self = .solo
        case 2 where segments[0] == "group": self = .group(pin: segments[1])
        case 3 where segments[0] == "group" && segments[2] == "gameresultwait": self = .wait(pin: segments[1])
        case 3 where segments[0] == "group" && segments[2] == "gameresult": self = .result(pin: segments[1])
        default: return nil
        }
    }

    /// The path with its variables by name.
    var pattern: String {
        switch self {
        case .randomMenu: "/menu/random"
        case .groups: "/group"
        case .solo: "/group/solo"
        case .group: "/group/{pin}"
        case .wait: "/group/{pin}/gameresultwait"
        case .result: "/group/{pin}/gameresult"
        }
    }

    var methods: [Method] {
        switch self {
        case .randomMenu, .wait, .result: [.get]
        case .groups, .solo: [.post]
        case .group: [.get, .post, .put]
        }
    }
}
