import API
import MenuGame
import UseCases

/// How `hansang serve` is set up.
struct ServeConfiguration: Sendable {
    var host = "127.0.0.1"
    var port = 8080
    var store = StoreLocation.default
    /// Where the key of the device tokens is; `nil` for where it usually is.
    var tokenKeyPath: String?
    /// `nil` for the catalogue that comes with the program.
    var cataloguePath: String?
    /// Where `openapi.yaml`, its page and the web client are; `nil` for those that come with the program.
    var documentsFolder: String?
    var logLevels = LogLevels(.info)
    var maxConnections = 10_000
    var roomHours = Int(Limits.roomLifetime / (60 * 60 * 1000))
    var roomsPerToken = Limits.roomsPerToken
    var streamLimits = StreamLimits()
    var roomsPerHour = APIBounds.roomsPerHour
    var trustsProxy = false
    var servesLegacyAPI = false
    var push = PushConfiguration()
    /// Where the operator's own listener is; `nil` for nowhere.
    var admin: ListenAddress?
    /// `nil` for what each request calls us.
    var publicURL: PublicURL?

    /// What holds where nothing is said.
    private static let standard = ServeConfiguration()

    static let options =
        [
            Option(name: "host", placeholder: "ADDRESS", help: "where to listen", fallback: standard.host),
            Option(name: "port", placeholder: "PORT", help: "0 takes any that is free", fallback: "\(standard.port)"),
            store,
            tokenKey,
            Option(name: "catalogue", placeholder: "FILE", help: "menus and cards of your own", fallback: nil),
            Option(name: "room-hours", placeholder: "HOURS", help: "how long a room lives", fallback: "\(standard.roomHours)"),
            Option(
                name: "rooms-per-token", placeholder: "N", help: "live rooms that one device may have opened",
                fallback: "\(standard.roomsPerToken)"),
            Option(
                name: "rooms-per-hour", placeholder: "N", help: "that one address opens, at once or spread over the hour",
                fallback: "\(standard.roomsPerHour)"),
            Option(
                name: "trust-proxy", help: "clients come through a proxy that appends their addresses to X-Forwarded-For", fallback: "false"
            ),
            Option(name: "legacy-api", help: "serves the shipped app, too: /group and /menu/random", fallback: "false"),
            Option(
                name: "public-url", placeholder: "URL",
                help: "where clients find this server, for links and pictures; else where their requests say that they go",
                fallback: nil),
            Option(name: "max-connections", placeholder: "N", help: "open at a time", fallback: "\(standard.maxConnections)"),
            Option(
                name: "max-streams-per-address", placeholder: "N", help: "streams and held answers of one client address",
                fallback: "\(standard.streamLimits.perAddress)"),
            Option(
                name: "max-streams-per-token", placeholder: "N", help: "streams and held answers of one device token",
                fallback: "\(standard.streamLimits.perToken)"),
            Option(
                name: "admin", placeholder: "ADDRESS:PORT", help: "a listener for the operator alone, which has /metrics; else none",
                fallback: nil),
            Option(name: "log-level", placeholder: "LEVEL", help: LogLevels.help, fallback: "info"),
        ] + PushConfiguration.options

    static let store = Option(
        name: "store", placeholder: "sqlite:PATH|postgres://URI",
        help: "where rooms are kept; the folder of a file is made for the default only", fallback: "\(StoreLocation.default)")

    /// The one of subcommands that work on files.
    static let storeFile = Option(
        name: "store", placeholder: "sqlite:PATH", help: "where rooms are kept", fallback: "\(StoreLocation.default)")

    static let tokenKey = Option(
        name: "token-key", placeholder: "FILE",
        help: "the key of the device tokens, the same for all servers of one store; else PATH.key, and data/hansang.key for PostgreSQL",
        fallback: nil)

    init() {}

    init(arguments: [String], environment: [String: String]) throws(UsageError) {
        let options = try Options(Self.options, arguments: arguments, environment: environment)
        if let operand = options.operands.first { throw UsageError(description: "'\(operand)' is no option") }
        host = options["host"] ?? host
        port = try options.integer("port", in: 0...65535)
        maxConnections = try options.integer("max-connections", in: 1...1_000_000)
        roomsPerToken = try options.integer("rooms-per-token", in: 1...1_000_000)
        streamLimits.perAddress = try options.integer("max-streams-per-address", in: 1...1_000_000)
        streamLimits.perToken = try options.integer("max-streams-per-token", in: 1...1_000_000)
        roomHours = try options.integer("room-hours", in: 1...24 * 366)
        roomsPerHour = try options.integer("rooms-per-hour", in: 1...1_000_000)
        trustsProxy = try options.isOn("trust-proxy")
        servesLegacyAPI = try options.isOn("legacy-api")
        push = try PushConfiguration(options)
        if let text = options["public-url"] {
            guard let url = PublicURL(text) else {
                throw UsageError(description: "\(options.source(of: "public-url")) is '\(text)', not http:// or https:// and a host")
            }
            publicURL = url
        }
        if let text = options["admin"] {
            guard let address = ListenAddress(text) else {
                throw UsageError(description: "\(options.source(of: "admin")) is '\(text)', not ADDRESS:PORT")
            }
            admin = address
        }
        guard let levels = LogLevels(options["log-level"] ?? "") else {
            throw UsageError(
                description: "\(options.source(of: "log-level")) is '\(options["log-level"] ?? "")', not one of \(LogLevels.help)")
        }
        logLevels = levels
        cataloguePath = options["catalogue"]
        store = try options.storeLocation()
        tokenKeyPath = options["token-key"]
    }
}

extension Options {
    func storeLocation(_ name: String = "store") throws(UsageError) -> StoreLocation {
        guard let text = self[name] else { throw UsageError(description: "--\(name) is needed") }
        guard let location = StoreLocation(text) else {
            throw UsageError(description: "\(source(of: name)) is '\(masked(text))', not sqlite:PATH or postgres://…")
        }
        return location
    }

    /// The file that `--store` names, for what works on files only.
    func storePath() throws(UsageError) -> String {
        guard case .sqlite(let path) = try storeLocation() else {
            throw UsageError(description: "\(source(of: "store")) is no sqlite:PATH; a PostgreSQL server has its own tools for this")
        }
        return path
    }
}
