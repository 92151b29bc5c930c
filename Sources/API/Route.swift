/// Every path that is answered, with its variables as they stand there. What there is to know of one besides is in `Endpoint.all`.
enum Route: Hashable, Sendable {
    /// No path of ours.
    case unknown
    case rooms
    case room(pin: String)
    case events(pin: String)
    case ownMembership(pin: String)
    case membership(pin: String, member: String)
    case host(pin: String)
    case submission(pin: String)
    case reveal(pin: String)
    case result(pin: String)
    case decision(pin: String)
    case rounds(pin: String)
    case qrCode(pin: String)
    case roomGame(pin: String)
    case solo
    case game
    case menus
    case randomMenu
    case menu(id: String)
    case menuImage(file: String)
    case ownDevices
    case health
    case readiness
    case openAPI
    case docs
    case docsStyle
    case webPage
    /// The same page, for a room.
    case webRoom(pin: String)
    case webAsset(version: String, file: String)
    /// A path of the shipped app.
    case legacy(LegacyRoute)
    /// `OPTIONS *`: the server as a whole (RFC 9110 §9.3.7).
    case server
}
