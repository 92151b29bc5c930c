/// The paths that the shipped app asks for. They are answered only by a server that was told to.
enum LegacyRoute: Hashable, Sendable {
    case randomMenu
    case groups
    case solo
    case group(pin: String)
    case wait(pin: String)
    case result(pin: String)
}
