import Foundation
import JSON
import TestSupport
import Testing

@Suite("Flags and the environment", .serialized, .timeLimit(.minutes(2)))
struct OptionTests {
    static let options = [
        "host", "port", "store", "catalogue", "max-connections", "max-streams-per-address", "max-streams-per-token", "log-level",
        "config", "rooms-per-hour", "rooms-per-token", "trust-proxy", "legacy-api", "public-url", "admin",
        "push-fcm", "push-fcm-url", "push-apns-key", "push-apns-key-id", "push-apns-team", "push-apns-topic", "push-apns-url", "push-ca",
        "push-legacy",
    ]

    private static func variable(_ option: String) -> String { "HANSANG_" + option.uppercased().replacing("-", with: "_") }

    @Test("Help of every subcommand, and of all together", arguments: ["serve", "config", "recommend", "check-catalogue"])
    func help(subcommand: String) async throws {
        for flag in ["--help", "-h"] {
            let remains = try await Program.run([subcommand, flag])
            #expect(remains.ending == .exit(0))
            #expect(remains.errors.isEmpty)
            #expect(remains.text.hasPrefix("Usage: hansang \(subcommand)"))
            if subcommand == "serve" {
                for option in Self.options {
                    #expect(remains.text.contains("--\(option) "))
                    #expect(remains.text.contains(Self.variable(option)))
                }
            }
        }
        for arguments in [["--help"], ["-h"], ["help"], []] {
            let remains = try await Program.run(arguments)
            #expect(remains.ending == .exit(0))
            #expect(remains.errors.isEmpty)
            #expect(remains.text.contains("\n  \(subcommand) "))
        }
    }

    @Test("The version")
    func version() async throws {
        let remains = try await Program.run(["--version"])
        #expect(remains.ending == .exit(0))
        #expect(remains.errors.isEmpty)
        #expect(remains.text.wholeMatch(of: /hansang \d+\.\d+\.\d+\n/) != nil)
    }

    @Test(
        "A bad value in the environment is refused as that of a flag is",
        arguments: [
            ("port", "http"), ("store", "rooms"), ("log-level", "loud"), ("max-connections", "0"), ("max-streams-per-address", "0"),
            ("max-streams-per-token", "many"), ("rooms-per-hour", "0"), ("rooms-per-hour", "many"), ("rooms-per-token", "0"),
            ("host", "192.0.2.1"), ("catalogue", "/nowhere/menus.json"), ("public-url", "hansang.example"),
            ("admin", "9464"), ("admin", "192.0.2.1:0"),
        ])
    func badValues(option: String, value: String) async throws {
        let folder = try TemporaryFolder()
        let rest = option == "store" ? [] : ["--store", "sqlite:\(folder.path("rooms.sqlite"))"]
        let flag = try await Program.run(["serve", "--\(option)", value] + rest)
        let assigned = try await Program.run(["serve", "--\(option)=\(value)"] + rest)
        let variable = try await Program.run(["serve"] + rest, environment: [Self.variable(option): value])
        #expect(flag.ending != .exit(0))
        #expect(!flag.errors.isEmpty)
        for other in [assigned, variable] {
            #expect(other.ending == flag.ending)
            // Each is called by its own name.
            #expect(other.errors.replacing(Self.variable(option), with: "--\(option)") == flag.errors)
        }
    }

    @Test("All of it can be set in the environment")
    func environment() async throws {
        let folder = try TemporaryFolder()
        let menus = try Self.smallCatalogue(in: folder)
        let server = try await ServerProcess(
            in: nil, [],
            environment: [
                "HANSANG_HOST": "127.0.0.1", "HANSANG_PORT": "0", "HANSANG_STORE": "sqlite:\(folder.path("other.sqlite"))",
                "HANSANG_CATALOGUE": menus, "HANSANG_MAX_CONNECTIONS": "16", "HANSANG_LOG_LEVEL": "debug",
            ])
        #expect(try await server.client().send("GET", "/v1/menus").json["menus"]?.array?.count == 3)
        #expect(server.log.first?["menus"]?.integer == 3)
        #expect(folder.names.contains("other.sqlite"))
    }

    @Test("A flag goes before the environment, which then is not even looked at")
    func flagsWin() async throws {
        let folder = try TemporaryFolder()
        let menus = try Self.smallCatalogue(in: folder)
        let server = try await ServerProcess(
            in: folder, ["--host", "127.0.0.1", "--port=0", "--catalogue", menus, "--max-connections", "16", "--log-level=info"],
            environment: [
                "HANSANG_HOST": "192.0.2.1", "HANSANG_PORT": "http", "HANSANG_STORE": "nowhere", "HANSANG_CATALOGUE": "/nowhere",
                "HANSANG_MAX_CONNECTIONS": "many", "HANSANG_LOG_LEVEL": "off",
            ])
        #expect(try await server.client().send("GET", "/v1/menus").json["menus"]?.array?.count == 3)
    }

    @Test("A switch is on by its flag alone, or set to true or false, here and in the environment")
    func switches() async throws {
        let cases: [(arguments: [String], variable: String?, isOn: Bool)] = [
            ([], nil, false), (["--trust-proxy"], nil, true), (["--trust-proxy=true"], "false", true),
            (["--trust-proxy=false"], "true", false),
            ([], "true", true), ([], "false", false), (["--trust-proxy"], "maybe", true),
        ]
        for (arguments, variable, isOn) in cases {
            let server = try await ServerProcess(
                in: TemporaryFolder(), arguments + ["--port", "0", "--rooms-per-hour", "1"],
                environment: variable.map { ["HANSANG_TRUST_PROXY": $0] } ?? [:])
            let client = try server.client()
            for (address, status) in [("203.0.113.1", 201), ("203.0.113.2", isOn ? 201 : 429), ("203.0.113.1", 429)] {
                let answer = try await client.send(
                    "POST", "/v1/rooms", token: token(1), fields: ["X-Forwarded-For: 198.51.100.7, \(address)"])
                #expect(answer.status == status, "\(arguments), \(variable ?? "unset")")
            }
        }
        for bad in [(["--trust-proxy=yes"], [:]), ([], ["HANSANG_TRUST_PROXY": "yes"]), (["--trust-proxy", "yes"], [:])]
            as [([String], [String: String])]
        {
            let remains = try await Program.run(["serve"] + bad.0, environment: bad.1)
            #expect(remains.ending == .exit(64))
            #expect(remains.errors.contains("yes"))
        }
    }

    /// Writes a catalogue of only three menus, and returns its path.
    private static func smallCatalogue(in folder: TemporaryFolder) throws -> String {
        let shipped = try JSONSerialization.jsonObject(with: Data(Catalogues.shippedBytes())) as? [String: Any]
        var small = try #require(shipped)
        let menus = try #require(small["menus"] as? [[String: Any]])
        small["menus"] = Array(menus.filter { ($0["contains"] as? [String])?.isEmpty == true }.prefix(3))
        let path = folder.path("menus.json")
        try JSONSerialization.data(withJSONObject: small).write(to: URL(filePath: path))
        return path
    }
}
