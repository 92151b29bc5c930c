import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("The shipped app on a server of its own", .serialized, .timeLimit(.minutes(2)))
struct LegacyAppTests {
    private static let tokens = (0..<5).map { "fcm:APA91b+secret_of_player_\($0)/0123456789" }

    private func start(_ arguments: [String] = []) async throws -> ServerProcess {
        try await ServerProcess(in: TemporaryFolder(), ["--port", "0", "--legacy-api", "--log-level", "debug"] + arguments)
    }

    private func apps(_ server: ServerProcess) -> [LegacyApp] { Self.tokens.map { LegacyApp(port: server.port, token: $0) } }

    @Test("A host and three others play a whole game, one of them twice")
    func group() async throws {
        let server = try await start()
        let apps = apps(server)
        let host = apps[0]
        let pin = try await host.open()
        await #expect(throws: LegacyApp.Failed(status: 409)) { try await host.result(pin) }
        for (number, app) in apps.prefix(4).enumerated() {
            #expect(try await app.exists(pin))
            try await app.submit(
                .init(spicy: true, rice: false, noodle: false, soup: true, nation: [.korean]), dislikes: [.sashimi], to: pin)
            #expect(try await app.waiting(pin) == .init(submissionCount: number + 1, isHost: number == 0, isGameClosed: false))
        }
        try await apps[3].restart(pin)
        #expect(try await host.waiting(pin).submissionCount == 3)
        try await apps[3].submit(.init(), to: pin)
        try await apps[3].submit(.init(spicy: false, nation: LegacyApp.Nation.allCases), to: pin)

        let result = try await host.result(pin)
        #expect(result.playerCount == 4)
        #expect(result.menus.count == 3)
        #expect(result.menus[0].keywords.contains("국물"))
        for app in apps.prefix(4) {
            #expect(try await app.waiting(pin).isGameClosed)
            #expect(try await app.result(pin) == result)
        }
        await #expect(throws: LegacyApp.Failed(status: 409)) { try await apps[4].submit(.init(), to: pin) }
        await #expect(throws: LegacyApp.Failed(status: 409)) { try await apps[0].restart(pin) }
        #expect(try await host.exists(pin == 999_999 ? 100_000 : pin + 1) == false)
        let image = try await host.image(result.menus[0].imageURL)
        #expect(String(decoding: image, as: UTF8.self).contains(result.menus[0].name))
    }

    @Test("Somebody alone is told three menus, and one that came up at random")
    func alone() async throws {
        let server = try await start(["--public-url", "https://lunch.example/"])
        let app = apps(server)[0]
        let result = try await app.playAlone(.init(hangover: true, soup: true), dislikes: LegacyApp.DislikedFood.allCases)
        #expect(result.playerCount == 1)
        #expect(result.menus.count == 3)
        for url in result.menus.map(\.imageURL) + [try await app.randomMenu().imageURL] {
            #expect(url.scheme == "https")
            #expect(url.host == "lunch.example")
            #expect(url.path.hasPrefix("/images/"))
        }
    }

    @Test("A v1 member plays with the app's, and the app's with v1's")
    func mixed() async throws {
        let server = try await start()
        let app = apps(server)[0]
        let client = try server.client()
        let pin = try await app.open()
        try await app.submit(.init(spicy: true), to: pin)
        #expect(try await client.submit("\(pin)", token(1), #"{"answers":{"spicy":"like"}}"#).status == 201)
        #expect(try await app.waiting(pin).submissionCount == 2)
        let result = try await app.result(pin)
        #expect(result.playerCount == 2)
        let v1 = try await client.send("GET", "/v1/rooms/\(pin)/result")
        #expect(v1.json["menus"]?.array?.map { $0["name"]?.string } == result.menus.map(\.name))

        // A room of v1 may have a PIN that is no number; then nobody with the app can enter it.
        var other = try await client.open(token(1))
        while other.hasPrefix("0") { other = try await client.open(token(1)) }
        let number = try #require(Int(other))
        try await app.submit(.init(spicy: true), to: number)
        await #expect(throws: LegacyApp.Failed(status: 409)) { try await app.result(number) }
        #expect(try await client.send("POST", "/v1/rooms/\(other)/reveal", token: token(1)).status == 200)
        #expect(try await app.waiting(number).isGameClosed)
        #expect(try await app.result(number).playerCount == 1)
    }

    @Test("A room that the app opened is revealed by it after a restart of the server, too")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try await ServerProcess(in: folder, ["--port", "0", "--legacy-api"])
        let pin = try await apps(first)[0].open()
        try await apps(first)[0].submit(.init(rich: true), to: pin)
        try await first.kill()
        let second = try await ServerProcess(in: folder, ["--port", "0", "--legacy-api"])
        #expect(try await apps(second)[0].waiting(pin) == .init(submissionCount: 1, isHost: true, isGameClosed: false))
        #expect(try await apps(second)[1].result(pin).playerCount == 1)
    }

    @Test("No token and no PIN is in the log, though both are in the addresses")
    func log() async throws {
        let server = try await start()
        let apps = apps(server)
        let pin = try await apps[0].open()
        for app in apps {
            try await app.submit(.init(alcohol: true), dislikes: [.intestine], to: pin)
            _ = try await app.waiting(pin)
        }
        try await apps[1].restart(pin)
        _ = try await apps[0].result(pin)
        // What goes wrong is logged no otherwise.
        let client = try server.client()
        for target in ["/group/\(pin)/\(Self.tokens[0])", "/group?token=\(Self.tokens[0])&token=x", "/groups?token=\(Self.tokens[0])"] {
            _ = try await client.send("GET", target)
        }
        for target in ["/group/\(pin)?token=\(Self.tokens[1])", "/group/\(Self.tokens[1])/gameresultwait?token=\(Self.tokens[1])"] {
            _ = try await client.send("PUT", target)
        }
        server.program.send(SIGTERM)
        #expect(try await server.program.end() == .exit(0))
        for secret in ["APA91b", "secret_of", "token", "INTESTINE", "intestine", "alcohol", "?"] {
            #expect(!server.program.errors.contains(secret), "\(secret)")
        }
        var routes: Set<String> = []
        for line in server.log {
            if let route = line["route"]?.string { routes.insert(route) }
            // Six digits may be among those of a time or a duration by chance.
            for member in line.object ?? [] where !["at", "microseconds", "port"].contains(member.name) {
                #expect(!"\(member.value)".contains("\(pin)"))
            }
        }
        #expect(routes == ["/group", "/group/{pin}", "/group/{pin}/gameresultwait", "/group/{pin}/gameresult", "(none)"])
    }
}
