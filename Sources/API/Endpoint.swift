import HTTP

/// What there is to know of a route before anybody asks for it: one row of the table that paths are matched against.
final class Endpoint: Sendable {
    /// Its place in `API.routePatterns`: tells endpoints apart where their patterns would be too slow to compare.
    let number: Int
    /// The path with its variables by name, as in the contract: free of PINs and ids. Logs and metrics name routes by it.
    let pattern: String
    /// What may be done there, besides HEAD where there is GET and OPTIONS everywhere.
    let methods: [Method]
    /// For somebody who asks what may be done there, or who tried something else (`Allow`, and `Accept-Patch` of RFC 5789 §3.1).
    let means: [Field]
    /// What a successful answer is; see `RouteMatch.mediaType`.
    let mediaType: String
    /// Of the shipped app: answered only by a server that was told to.
    let isLegacy: Bool
    /// Whether its path may end in a slash, which gets there when an address is copied.
    let takesSlash: Bool
    /// Whether its first variable is the PIN of a room.
    let namesRoom: Bool
    /// The route to the variables of a path; those that the pattern does not have are empty.
    let route: @Sendable (String, String) -> Route

    private init(_ row: Row, number: Int) {
        self.number = number
        pattern = row.pattern
        methods = row.methods
        means = Self.means(of: row.methods)
        mediaType = row.mediaType
        takesSlash = row.takesSlash
        isLegacy = if case .legacy = row.route("", "") { true } else { false }
        namesRoom = row.pattern.split(separator: "/").contains("{pin}")
        route = row.route
    }

    private static func means(of methods: [Method]) -> [Field] {
        let implied: [Method] = methods.contains(.get) ? [.head, .options] : [.options]
        // RFC 9110 §10.2.1
        let allow: Field = Field(.allow, (methods + implied).map(\.name).joined(separator: ", "))
        return methods.contains(.patch) ? [allow, Field(.acceptPatch, "application/merge-patch+json")] : [allow]
    }

    private typealias Row = (
        pattern: String, methods: [Method], mediaType: String, takesSlash: Bool, route: @Sendable (String, String) -> Route
    )

    private static func row(
        _ pattern: String, _ methods: Method..., mediaType: String = "application/json", takesSlash: Bool = false,
        _ route: @escaping @Sendable (_ first: String, _ second: String) -> Route
    ) -> Row {
        (pattern, methods, mediaType, takesSlash, route)
    }

    /// In the order of their numbers; the first is what is no route.
    static let all: [Endpoint] = rows.enumerated().map { Endpoint($1, number: $0) }

    static let unknown = all[0]

    private static let rows: [Row] = [
        row("(none)") { _, _ in .unknown },
        row("/v1/rooms", .post) { _, _ in .rooms },
        row("/v1/rooms/{pin}", .get, .delete) { pin, _ in .room(pin: pin) },
        row("/v1/rooms/{pin}/events", .get, mediaType: "text/event-stream") { pin, _ in .events(pin: pin) },
        row("/v1/rooms/{pin}/members/me", .put, .delete) { pin, _ in .ownMembership(pin: pin) },
        row("/v1/rooms/{pin}/members/{id}", .delete) { pin, id in .membership(pin: pin, member: id) },
        row("/v1/rooms/{pin}/host", .put) { pin, _ in .host(pin: pin) },
        row("/v1/rooms/{pin}/submission", .get, .put, .patch, .delete) { pin, _ in .submission(pin: pin) },
        row("/v1/rooms/{pin}/reveal", .post) { pin, _ in .reveal(pin: pin) },
        row("/v1/rooms/{pin}/result", .get) { pin, _ in .result(pin: pin) },
        row("/v1/rooms/{pin}/decision", .post) { pin, _ in .decision(pin: pin) },
        row("/v1/rooms/{pin}/rounds", .post) { pin, _ in .rounds(pin: pin) },
        row("/v1/rooms/{pin}/qr.svg", .get, mediaType: "image/svg+xml") { pin, _ in .qrCode(pin: pin) },
        row("/v1/rooms/{pin}/game", .get) { pin, _ in .roomGame(pin: pin) },
        row("/v1/solo", .post) { _, _ in .solo },
        row("/v1/game", .get) { _, _ in .game },
        row("/v1/menus", .get) { _, _ in .menus },
        row("/v1/menus/random", .get) { _, _ in .randomMenu },
        row("/v1/menus/{id}", .get) { id, _ in .menu(id: id) },
        row("/v1/devices/me", .put, .delete) { _, _ in .ownDevices },
        row("/images/{file}", .get, mediaType: "image/svg+xml") { file, _ in .menuImage(file: file) },
        row("/healthz", .get) { _, _ in .health },
        row("/readyz", .get) { _, _ in .readiness },
        row("/openapi.yaml", .get, mediaType: "application/yaml") { _, _ in .openAPI },
        row("/docs", .get, mediaType: "text/html") { _, _ in .docs },
        row("/docs.css", .get, mediaType: "text/css") { _, _ in .docsStyle },
        row("/", .get, mediaType: "text/html") { _, _ in .webPage },
        row("/r/{pin}", .get, mediaType: "text/html", takesSlash: true) { pin, _ in .webRoom(pin: pin) },
        row("/assets/{version}/{file}", .get) { version, file in .webAsset(version: version, file: file) },
        row("/menu/random", .get) { _, _ in .legacy(.randomMenu) },
        row("/group", .post) { _, _ in .legacy(.groups) },
        row("/group/solo", .post) { _, _ in .legacy(.solo) },
        row("/group/{pin}", .get, .post, .put) { pin, _ in .legacy(.group(pin: pin)) },
        row("/group/{pin}/gameresultwait", .get) { pin, _ in .legacy(.wait(pin: pin)) },
        row("/group/{pin}/gameresult", .get) { pin, _ in .legacy(.result(pin: pin)) },
        row("*") { _, _ in .server },
    ]
}

extension API {
    /// The patterns of all routes, known before the first request: a request's `Access.route` is a place in here. The first is that of
    /// what is no route.
    public static let routePatterns: [String] = Endpoint.all.map(\.pattern)
}
