import HTTP

/// Every path that is answered, and what may be done there. The patterns are those of the contract; logs and metrics name routes by them.
enum Route: Hashable, Sendable {
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

    /// - Parameter legacy: whether those of the shipped app are answered.
    init?(path: [UInt8], legacy: Bool = false) {
        if path == [UInt8(ascii: "*")] {
            self = .server
            return
        }
        var segments: [String] = []
        segments.reserveCapacity(5)
        for segment in path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            // What cannot be decoded stays as it is, and is then no PIN and no id.
            segments.append(percentDecoded(segment) ?? String(decoding: segment, as: UTF8.self))
        }
        if legacy, let route = LegacyRoute(segments) {
            self = .legacy(route)
            return
        }
        switch segments.count {
        case 1: self.init(segments[0])
        case 2: self.init(segments[0], segments[1])
        case 3: self.init(segments[0], segments[1], segments[2])
        case 4: self.init(segments[0], segments[1], segments[2], segments[3])
        case 5: self.init(segments[0], segments[1], segments[2], segments[3], segments[4])
        default: return nil
        }
    }

    private init?(_ a: String) {
        switch a {
        case "": self = .webPage
        case "healthz": self = .health
        case "readyz": self = .readiness
        case "openapi.yaml": self = .openAPI
        case "docs": self = .docs
        case "docs.css": self = .docsStyle
        default: return nil
        }
    }

    private init?(_ a: String, _ b: String) {
        switch (a, b) {
        case ("v1", "rooms"): self = .rooms
        case ("v1", "solo"): self = .solo
        case ("v1", "game"): self = .game
        case ("v1", "menus"): self = .menus
        case ("r", let pin): self = .webRoom(pin: pin)
        case ("images", let file): self = .menuImage(file: file)
        default: return nil
        }
    }

    private init?(_ a: String, _ b: String, _ c: String) {
        switch (a, b, c) {
        case ("v1", "rooms", let pin): self = .room(pin: pin)
        case ("v1", "devices", "me"): self = .ownDevices
        case ("v1", "menus", "random"): self = .randomMenu
        case ("v1", "menus", let id): self = .menu(id: id)
        case ("assets", let version, let file): self = .webAsset(version: version, file: file)
        default: return nil
        }
    }

    private init?(_ a: String, _ b: String, _ c: String, _ d: String) {
        switch (a, b, c, d) {
        case ("v1", "rooms", let pin, "events"): self = .events(pin: pin)
        case ("v1", "rooms", let pin, "submission"): self = .submission(pin: pin)
        case ("v1", "rooms", let pin, "reveal"): self = .reveal(pin: pin)
        case ("v1", "rooms", let pin, "result"): self = .result(pin: pin)
        case ("v1", "rooms", let pin, "decision"): self = .decision(pin: pin)
        case ("v1", "rooms", let pin, "rounds"): self = .rounds(pin: pin)
        case ("v1", "rooms", let pin, "qr.svg"): self = .qrCode(pin: pin)
        case ("v1", "rooms", let pin, "game"): self = .roomGame(pin: pin)
        case ("v1", "rooms", let pin, "host"): self = .host(pin: pin)
        default: return nil
        }
    }

    private init?(_ a: String, _ b: String, _ c: String, _ d: String, _ e: String) {
        switch (a, b, c, d, e) {
        case ("v1", "rooms", let pin, "members", "me"): self = .ownMembership(pin: pin)
        case ("v1", "rooms", let pin, "members", let member): self = .membership(pin: pin, member: member)
        default: return nil
        }
    }

    /// What stands where a room's PIN belongs; `nil` in the path of no room.
    var pin: String? {
        switch self {
        case .room(let pin), .events(let pin), .ownMembership(let pin), .membership(let pin, _), .host(let pin), .submission(let pin),
            .reveal(let pin), .result(let pin), .decision(let pin), .rounds(let pin), .qrCode(let pin), .roomGame(let pin),
            .webRoom(let pin), .legacy(.group(let pin)), .legacy(.wait(let pin)), .legacy(.result(let pin)):
            pin
        case .rooms, .solo, .game, .menus, .randomMenu, .menu, .menuImage, .ownDevices, .health, .readiness, .openAPI, .docs, .docsStyle,
            .webPage, .webAsset, .legacy(.randomMenu), .legacy(.groups), .legacy(.solo), .server:
            nil
        }
    }

    /// The path with its variables by name: free of PINs and ids.
    var pattern: String {
        switch self {
        case .rooms: "/v1/rooms"
        case .room: "/v1/rooms/{pin}"
        case .events: "/v1/rooms/{pin}/events"
        case .ownMembership: "/v1/rooms/{pin}/members/me"
        case .membership: "/v1/rooms/{pin}/members/{id}"
        case .host: "/v1/rooms/{pin}/host"
        case .submission: "/v1/rooms/{pin}/submission"
        case .reveal: "/v1/rooms/{pin}/reveal"
        case .result: "/v1/rooms/{pin}/result"
        case .decision: "/v1/rooms/{pin}/decision"
        case .rounds: "/v1/rooms/{pin}/rounds"
        case .qrCode: "/v1/rooms/{pin}/qr.svg"
        case .roomGame: "/v1/rooms/{pin}/game"
        case .solo: "/v1/solo"
        case .game: "/v1/game"
        case .menus: "/v1/menus"
        case .randomMenu: "/v1/menus/random"
        case .menu: "/v1/menus/{id}"
        case .menuImage: "/images/{file}"
        case .ownDevices: "/v1/devices/me"
        case .health: "/healthz"
        case .readiness: "/readyz"
        case .openAPI: "/openapi.yaml"
        case .docs: "/docs"
        case .docsStyle: "/docs.css"
        case .webPage: "/"
        case .webRoom: "/r/{pin}"
        case .webAsset: "/assets/{version}/{file}"
        case .legacy(let route): route.pattern
        case .server: "*"
        }
    }

    /// What may be done there, besides HEAD where there is GET and OPTIONS everywhere.
    var methods: [Method] {
        switch self {
        case .rooms, .reveal, .decision, .rounds, .solo: Self.toPost
        case .room: Self.toGetAndDelete
        case .events, .result, .roomGame, .game, .menus, .randomMenu, .menu, .menuImage, .health, .readiness: Self.toGet
        case .ownMembership, .ownDevices: Self.toPutAndDelete
        case .membership: Self.toDelete
        case .host: Self.toPut
        case .submission: Self.toGetPutPatchAndDelete
        case .openAPI, .docs, .docsStyle, .qrCode, .webPage, .webRoom, .webAsset: Self.toGet
        case .legacy(let route): route.methods
        case .server: []
        }
    }

    // Made once and not for every request.
    private static let toPost: [Method] = [.post]
    private static let toGet: [Method] = [.get]
    private static let toPut: [Method] = [.put]
    private static let toDelete: [Method] = [.delete]
    private static let toGetAndDelete: [Method] = [.get, .delete]
    private static let toPutAndDelete: [Method] = [.put, .delete]
    private static let toGetPutPatchAndDelete: [Method] = [.get, .put, .patch, .delete]

    /// The value of `Allow` (RFC 9110 §10.2.1).
    var allow: String {
        let implied: [Method] = methods.contains(.get) ? [.head, .options] : [.options]
        return (methods + implied).map(\.name).joined(separator: ", ")
    }
}

extension Route {
    /// What may be done there, for somebody who asks or who tried something else (`Allow`, and `Accept-Patch` of RFC 5789 §3.1).
    var means: [(name: FieldName, value: String)] {
        let allow: (name: FieldName, value: String) = (.allow, allow)
        return methods.contains(.patch) ? [allow, (.acceptPatch, "application/merge-patch+json")] : [allow]
    }

    /// What a successful answer is.
    var mediaType: String {
        switch self {
        case .menuImage, .qrCode: "image/svg+xml"
        case .events: "text/event-stream"
        case .openAPI: "application/yaml"
        case .docs, .webPage, .webRoom: "text/html"
        case .webAsset(_, let file): WebClient.Kind(of: file)?.mediaType ?? "application/json"
        case .docsStyle: "text/css"
        default: "application/json"
        }
    }
}
