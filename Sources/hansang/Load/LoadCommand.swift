import Dispatch
import Synchronization

/// `hansang load`
enum LoadCommand {
    private static let options = [
        Option(name: "url", placeholder: "URL", help: "the server to play on", fallback: "http://127.0.0.1:8080"),
        Option(name: "games", placeholder: "N", help: "games to play", fallback: "100"),
        Option(name: "members", placeholder: "M", help: "members of each", fallback: "8"),
        Option(
            name: "connections", placeholder: "N", help: "games that are played at a time, each on a connection of its own", fallback: "16"),
    ]

    static let command = Command(
        name: "load", summary: "plays games on a running server and says how long it took",
        help: """
            Usage: hansang load [OPTIONS]

            Plays whole games: a room is opened, each member answers and looks, the host reveals, each reads the result, the room is closed.
            Every answer is looked at. Prints how long the requests took, by what they were for. Exits 0 where all went well, and 69 where
            not, with a line for each kind of fault. A server lets one address open sixty rooms an hour, unless its --rooms-per-hour says
            otherwise.

            \(Options.help(for: options))

            """
    ) { arguments in
        do throws(UsageError) {
            let options = try Options(
                options, known: ServeConfiguration.options + options, arguments: arguments, environment: environmentVariables())
            if let operand = options.operands.first { throw UsageError(description: "'\(operand)' is no option") }
            let url = options["url"] ?? ""
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
                throw UsageError(description: "\(options.source(of: "url")) is '\(masked(url))', not http:// or https:// and a host")
            }
            let load = Load(
                url: url.hasSuffix("/") ? String(url.dropLast()) : url, games: try options.integer("games", in: 1...10_000_000),
                members: try options.integer("members", in: 1...500), connections: try options.integer("connections", in: 1...200))
            let (report, took) = load.run()
            Output.print(
                "\(load.games) games of \(load.members), \(load.connections) at a time: \(decimal(Double(took.nanoseconds) / 1e9, 2)) s\n"
                    + report.table(of: took))
            guard report.faults.isEmpty else {
                let faults = report.faults.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                Output.fail("not all went well:", details: faults.map { "\($0.value) × \($0.key)" }, .unavailable)
            }
        } catch {
            Output.fail("\(error); see hansang load --help", error.status)
        }
    }
}

/// Games that are played at the same time, as many as there are connections, until all are over.
private final class Load: Sendable {
    let url: String
    let games: Int
    let members: Int
    let connections: Int

    private struct Progress {
        var report = LoadReport()
        var done = 0
        var requests = 0
        var bar = ProgressBar()
    }

    private let next = Atomic(0)
    private let progress = Mutex(Progress())
    private let began = ContinuousClock.now
    /// Other runs against the same server have other members.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)

    init(url: String, games: Int, members: Int, connections: Int) {
        self.url = url
        self.games = games
        self.members = members
        self.connections = min(connections, games)
    }

    /// Blocks until all are over.
    func run() -> (LoadReport, Duration) {
        LoadClient.begin()
        let everybody = DispatchGroup()
        for number in 0..<connections {
            // Each blocks, and so each has a serial queue and with it a thread of its own.
            DispatchQueue(label: "hansang.load.\(number)").async(group: everybody) { self.play() }
        }
        everybody.wait()
        return (progress.withLock { $0.report }, ContinuousClock.now - began)
    }

    private func play() {
        guard let client = LoadClient(url) else { return }
        var report = LoadReport()
        defer { progress.withLock { $0.report.add(report) } }
        while true {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard number < games else { return }
            var requests = 0
            LoadGame(client: client, members: members) { step, took, fault in
                report.note(step, took, fault: fault)
                requests += 1
            }.play("\(name)-\(number)")
            progress.withLock { progress in
                progress.done += 1
                progress.requests += requests
                let seconds = max(1e-3, Double((ContinuousClock.now - began).nanoseconds) / 1e9)
                progress.bar.show(progress.done, of: games, "\(decimal(Double(progress.requests) / seconds, 0)) requests a second")
            }
        }
    }
}
