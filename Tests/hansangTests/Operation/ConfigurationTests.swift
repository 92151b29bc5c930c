import Foundation
import TestSupport
import Testing

@testable import hansang

@Suite("Configuration", .timeLimit(.minutes(2)))
struct ConfigurationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> String {
        let path = folder.path("hansang.conf")
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func options(_ text: String, _ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> Options {
        try Options(ServeConfiguration.options, arguments: ["--config", file(text)] + arguments, environment: environment)
    }

    @Test("A flag goes before the environment, that before the file, and that before the default")
    func precedence() throws {
        let text = "port = 1\nhost=::1\n room-hours\t=\t3 \nmax-connections = 4\n"
        let options = try options(text, ["--port", "10"], ["HANSANG_PORT": "20", "HANSANG_HOST": "127.0.0.2"])
        #expect(options["port"] == "10" && options.origin(of: "port") == "--port")
        #expect(options["host"] == "127.0.0.2" && options.origin(of: "host") == "HANSANG_HOST")
        #expect(options["room-hours"] == "3" && options.origin(of: "room-hours") == "\(folder.path("hansang.conf")), line 3")
        #expect(options["rooms-per-hour"] == "60" && options.origin(of: "rooms-per-hour") == "the default")
        #expect(options["admin"] == nil)
    }

    @Test("The file has comments, empty lines, line ends of either kind, and values that are taken as they stand")
    func syntax() throws {
        let options = try options("# all\r\n\r\n  # of it\r\nstore = sqlite:/a b/#1=\"x\"\r\ncatalogue =\n")
        #expect(options["store"] == "sqlite:/a b/#1=\"x\"")
        #expect(options["catalogue"]?.isEmpty == true)
        #expect(try self.options("")["port"] == "8080")
    }

    @Test("The environment may name the file")
    func variable() throws {
        let environment = ["HANSANG_CONFIG": try file("port = 7")]
        #expect(try Options(ServeConfiguration.options, arguments: [], environment: environment)["port"] == "7")
    }

    @Test("What Kubernetes sets for a Service of our name is not for us")
    func kubernetes() throws {
        let variables = [
            "HANSANG_PORT": "tcp://10.0.0.7:8080", "HANSANG_PORT_8080_TCP": "tcp://10.0.0.7:8080", "HANSANG_PORT_8080_TCP_PORT": "8080",
            "HANSANG_SERVICE_HOST": "10.0.0.7", "HANSANG_SERVICE_PORT": "8080", "HANSANG_SERVICE_PORT_HTTP": "8080",
        ]
        #expect(try options("port = 7", [], variables)["port"] == "7")
        #expect(throws: UsageError.self) { try options("", [], ["HANSANG_PORTS": "1"]) }
    }

    @Test(
        "What is misspelt is refused where it stands, with what was probably meant",
        arguments: [
            (["--prot", "80"], [:], "", "there is no option --prot; did you mean --port?"),
            (["--max-conections", "80"], [:], "", "there is no option --max-conections; did you mean --max-connections?"),
            (["--wine-list", "80"], [:], "", "there is no option --wine-list"),
            (["--x", "80"], [:], "", "there is no option --x"),
            (["--port", "1", "--port=2"], [:], "", "--port is set twice"),
            (["--trust-proxy", "--trust-proxy"], [:], "", "--trust-proxy is set twice"),
            ([], ["HANSANG_LOGLEVEL": "off"], "", "there is no variable HANSANG_LOGLEVEL; did you mean HANSANG_LOG_LEVEL?"),
            ([], [:], "port = 0\nroom-huors = 2", "hansang.conf:2: there is no option room-huors; did you mean room-hours?"),
            ([], [:], "config = other.conf", "hansang.conf:1: there is no option config"),
            ([], [:], "port = 0\nport = 1", "hansang.conf:2: port was set in line 1 already"),
            ([], [:], "\nport", "hansang.conf:2: there is no = in it"),
            ([], [:], "\n\nport = http", "hansang.conf:3: port is 'http', not a number within 0 to 65535"),
        ] as [([String], [String: String], String, String)])
    func misspelt(arguments: [String], environment: [String: String], text: String, message: String) async throws {
        for subcommand in ["serve", "config"] {
            let remains = try await Program.run(
                [subcommand, "--config", file(text)] + arguments, environment: environment)
            #expect(remains.ending == .exit(64))
            #expect(remains.output.isEmpty && remains.lines.count == 1)
            #expect(remains.errors.contains(message + "; see hansang \(subcommand) --help"), "\(remains.errors)")
        }
    }

    @Test("A file that is not there, or is no text")
    func unreadable() async throws {
        for path in [folder.path("none.conf"), folder.url.path] {
            let remains = try await Program.run(["serve", "--config", path])
            #expect(remains.ending == .exit(66) && remains.errors.contains(path) && remains.lines.count == 1)
        }
        let path = folder.path("latin.conf")
        try Data([0x68, 0xE4]).write(to: URL(filePath: path))
        let remains = try await Program.run(["serve", "--config", path])
        #expect(remains.ending == .exit(64) && remains.errors.contains("no text"))
    }

    @Test("The server goes by its file, and so do the subcommands that work on its store")
    func served() async throws {
        let path = try file("port = 0\nstore = sqlite:\(folder.path("own.sqlite"))\nrooms-per-hour = 1\n")
        let server = try await ServerProcess(in: nil, ["--config", path])
        let client = try server.client()
        _ = try await client.open(token(1))
        #expect(try await client.send("POST", "/v1/rooms", token: token(2)).status == 429)
        let check = try await Program.run(["check", "--config", path])
        #expect(check.ending == .exit(0) && check.text.hasPrefix("sqlite:" + folder.path("own.sqlite")), "\(check.errors)")
    }

    @Test("What is shown can be read again and means the same")
    func shown() async throws {
        let shown = try await Program.run(
            ["config", "--trust-proxy", "--admin", "127.0.0.1:9464"], environment: ["HANSANG_ROOM_HOURS": "5"])
        #expect(shown.ending == .exit(0), "\(shown.errors)")
        #expect(shown.text.contains("# HANSANG_ROOM_HOURS\nroom-hours = 5\n"))
        #expect(shown.text.contains("# --trust-proxy\ntrust-proxy = true\n"))
        #expect(shown.text.contains("# the default\nport = 8080\n"))
        #expect(shown.text.contains("# catalogue = FILE\n"))
        let again = try await Program.run(["config", "--config", file(shown.text)])
        let values = { (text: String) in text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
        #expect(again.ending == .exit(0) && values(again.text) == values(shown.text))
        for option in ServeConfiguration.options {
            #expect(shown.text.contains("\n\(option.name) = ") || shown.text.contains("# \(option.name) = "))
        }
    }

    @Test(
        "Of an address nothing is shown that may be a password",
        arguments: [
            ("sqlite:data/x.sqlite", "sqlite:data/x.sqlite"), ("postgres://h/d", "postgres://h/d"),
            ("postgres://u@h/d", "postgres://u@h/d"),
            ("postgres://u:secret@h/d", "postgres://u:***@h/d"), ("postgres://u:sec@ret/x@h:1,i:2/d", "postgres://u:***@h:1,i:2/d"),
            (
                "postgres://h/d?password=secret&sslmode=require&sslpassword=secret",
                "postgres://h/d?password=***&sslmode=require&sslpassword=***"
            ),
            ("postgres://u:secret@h/d?user=x", "postgres://u:***@h/d?user=x"), ("postgres://u:sec?ret@h/d", "postgres://u:***@h/d"),
            ("postgres://u:?a=b&c@h/d", "postgres://u:***@h/d"), ("postgres://h/d?%70assword=secret", "postgres://h/d?%70assword=***"),
            ("https://eat.example", "https://eat.example"),
        ])
    func mask(text: String, expected: String) { #expect(masked(text) == expected) }

    @Test("Not even in an error")
    func maskedError() async throws {
        for subcommand in ["serve", "config"] {
            let remains = try await Program.run([subcommand, "--store", "other://u:secret@h/d?password=secret"])
            #expect(remains.ending == .exit(64))
            #expect(!remains.errors.contains("secret") && remains.errors.contains("u:***@h"))
        }
    }

    @Test(
        "What was meant",
        arguments: [
            ("stroe", "store"), ("catalog", "catalogue"), ("hosts", "host"), ("x", nil), ("", nil), ("completely-different", nil),
        ] as [(String, String?)])
    func meant(word: String, expected: String?) {
        #expect(suggestion(for: word, among: ServeConfiguration.options.map(\.name)) == expected)
    }
}
