import Synchronization

extension API {
    /// The patterns of all routes, known before the first request: a request's `Access.route` is a place in here. The first is that of
    /// what is no route.
    public static let routePatterns: [String] = ["(none)"] + Route.examples.map(\.pattern)

    /// Streams and held answers that are open.
    public var streams: Int { openStreams.total }

    /// How often somebody named a PIN that no room has, and how often of these they were told to wait.
    public var failedLookups: (all: Int, refused: Int) {
        (throttle.failures.load(ordering: .relaxed), throttle.refusedLookups.load(ordering: .relaxed))
    }

    /// How often somebody was told to wait before they open another room.
    public var refusedRooms: Int { throttle.refusedRooms.load(ordering: .relaxed) }
}

extension Route {
    /// One of each, in the order of their numbers.
    static let examples: [Route] = [
        .rooms, .room(pin: ""), .events(pin: ""), .ownMembership(pin: ""), .membership(pin: "", member: ""), .host(pin: ""),
        .submission(pin: ""), .reveal(pin: ""), .result(pin: ""), .decision(pin: ""), .rounds(pin: ""), .qrCode(pin: ""), .solo, .game,
        .menus, .randomMenu, .menu(id: ""), .menuImage(file: ""), .health, .readiness, .openAPI, .docs, .docsStyle, .webPage,
        .webRoom(pin: ""), .webAsset(version: "", file: ""), .server, .legacy(.randomMenu), .legacy(.groups), .legacy(.solo),
        .legacy(.group(pin: "")), .legacy(.wait(pin: "")), .legacy(.result(pin: "")), .ownDevices, .roomGame(pin: ""),
    ]

    /// Tells routes apart where their patterns would be too slow to compare: from 1, without gaps.
    var number: Int {
        switch self {
        case .rooms: 1
        case .room: 2
        case .events: 3
        case .ownMembership: 4
        case .membership: 5
        case .host: 6
        case .submission: 7
        case .reveal: 8
        case .result: 9
        case .decision: 10
        case .rounds: 11
        case .qrCode: 12
        case .solo: 13
        case .game: 14
        case .menus: 15
        case .randomMenu: 16
        case .menu: 17
        case .menuImage: 18
        case .health: 19
        case .readiness: 20
        case .openAPI: 21
        case .docs: 22
        case .docsStyle: 23
        case .webPage: 24
        case .webRoom: 25
        case .webAsset: 26
        case .server: 27
        case .legacy(.randomMenu): 28
        case .legacy(.groups): 29
        case .legacy(.solo): 30
        case .legacy(.group): 31
        case .legacy(.wait): 32
        case .legacy(.result): 33
        case .ownDevices: 34
        case .roomGame: 35
        }
    }
}
