import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("How it starts, and how it does not", .serialized, .timeLimit(.minutes(2)))
struct StartTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var store: String { "sqlite:\(folder.path("rooms.sqlite"))" }

    /// Expects that the program ends with `status`, and one line that says why and contains `reason`.
    private func expectRefusal(
        _ arguments: [String], _ status: Int32, _ reason: String, environment: [String: String] = [:],
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let remains = try await Program.run(arguments, environment: environment)
        #expect(remains.ending == .exit(status), "\(remains.errors)", sourceLocation: location)
        #expect(remains.output.isEmpty, sourceLocation: location)
        #expect(remains.lines.count == 1, "\(remains.errors)", sourceLocation: location)
        #expect(remains.errors.hasPrefix("hansang: "), sourceLocation: location)
        #expect(remains.errors.hasSuffix("\n"), sourceLocation: location)
        #expect(reason.isEmpty || remains.errors.contains(reason), "\(remains.errors)", sourceLocation: location)
    }

    @Test(
        "What it is told wrongly is one line on standard error, and status 64",
        arguments: [
            ["bake"], ["-v"], [""], ["serve", "--prot", "80"], ["serve", "--port"], ["serve", "--port", "http"],
            ["serve", "--port", "65536"],
            ["serve", "--port", "-1"], ["serve", "--port="], ["serve", "--store", "rooms.sqlite"], ["serve", "--store", "sqlite:"],
            ["serve", "--store", "mysql://localhost"], ["serve", "--log-level", "loud"], ["serve", "--max-connections", "0"],
            ["serve", "now"], ["serve", "--admin", "9464"], ["serve", "-p", "80"], ["recommend", "case.json"], ["check-catalogue"],
            ["check-catalogue", "a", "b"],
            ["serve", "--port", "8\u{1B}[2J0"],
        ])
    func usage(arguments: [String]) async throws {
        let quoted = arguments.count > 1 && arguments[0] == "serve" ? arguments[1].split(separator: "=")[0].drop { $0 == "-" } : ""
        try await expectRefusal(arguments, 64, String(quoted))
    }

    @Test("A port that is taken")
    func portInUse() async throws {
        let other = try await ServerProcess(in: TemporaryFolder())
        try await expectRefusal(["serve", "--port", "\(other.port)", "--store", store], 69, "\(other.port)")
        #expect(try await other.client().send("GET", "/healthz").status == 200)
    }

    @Test("An address that this machine does not have", arguments: ["192.0.2.1", "no such host", "::ffff:192.0.2.1", ""])
    func badHost(host: String) async throws {
        try await expectRefusal(["serve", "--host", host, "--port", "0", "--store", store], 69, host)
    }

    @Test(
        "A store whose folder is not there, or where nobody can write, or that is no file",
        arguments: [
            "FOLDER/missing/rooms.sqlite", "/proc/rooms.sqlite", "/dev/null/rooms.sqlite", "FOLDER/inner", "FOLDER/inner/", ".",
            "FOLDER/\(String(repeating: "x", count: 300))",
        ])
    func badStore(path: String) async throws {
        let path = path.replacing("FOLDER", with: folder.url.path)
        try FileManager.default.createDirectory(atPath: folder.path("inner"), withIntermediateDirectories: false)
        try await expectRefusal(["serve", "--port", "0", "--store", "sqlite:\(path)"], 69, "")
        #expect(!folder.names.contains { $0.contains("sqlite") || $0.contains("key") })
    }

    @Test("A store in a folder, and one in a file, that may not be written", .enabled(if: geteuid() != 0, "the superuser may"))
    func readOnlyStore() async throws {
        chmod(folder.url.path, 0o500)
        try await expectRefusal(["serve", "--port", "0", "--store", store], 69, "rooms.sqlite")
        chmod(folder.url.path, 0o700)
        try await ServerProcess(in: folder).kill()
        chmod(folder.path("rooms.sqlite"), 0o400)
        try await expectRefusal(["serve", "--port", "0", "--store", store], 69, "rooms.sqlite")
    }

    @Test("A store that another server has open, who notices nothing")
    func storeInUse() async throws {
        let other = try await ServerProcess(in: folder)
        let client = try other.client()
        let pin = try await client.open(token(1))
        try await expectRefusal(["serve", "--port", "0", "--store", store], 69, "in use")
        // By another name it is the same.
        symlink(folder.url.path, folder.path("link"))
        try await expectRefusal(["serve", "--port", "0", "--store", "sqlite:\(folder.path("link/rooms.sqlite"))"], 69, "in use")
        #expect(try await client.submit(pin, token(1)).status == 201)
        try await other.kill()
        let next = try await ServerProcess(in: folder)
        #expect(try await next.client().send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 1)
    }

    @Test("A file that is no database, and stays what it was")
    func noDatabase() async throws {
        let file = URL(filePath: folder.path("rooms.sqlite"))
        let text = Data(String(repeating: "Dear diary, today we had soup. ", count: 200).utf8)
        try text.write(to: file)
        try await expectRefusal(["serve", "--port", "0", "--store", store], 69, "is no database")
        #expect(try Data(contentsOf: file) == text)
    }

    @Test("A catalogue that is not there")
    func missingCatalogue() async throws {
        let path = folder.path("menus.json")
        try await expectRefusal(["serve", "--port", "0", "--store", store, "--catalogue", path], 66, path)
        try await expectRefusal(["check-catalogue", path], 66, path)
        try await expectRefusal(["check-catalogue", folder.url.path], 66, folder.url.path)
        #expect(folder.names.isEmpty)
    }

    @Test("A broken catalogue: every fault has a line of its own, with its place")
    func brokenCatalogue() async throws {
        let path = folder.path("menus.json")
        let broken = String(decoding: try Catalogues.shippedBytes(), as: UTF8.self)
            .replacing(#""id": "bibimbap""#, with: #""id": "Bibim bap""#).replacing("\"seafood\"", with: "\"sea food\"", maxReplacements: 1)
        try Data(broken.utf8).write(to: URL(filePath: path))
        let remains = try await Program.run(["check-catalogue", path])
        #expect(remains.ending == .exit(65))
        #expect(remains.output.isEmpty)
        #expect(remains.lines.first == "hansang: \(path) is no playable catalogue:")
        let places = remains.lines.dropFirst().map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
        #expect(places.contains("/vetoes/3/id"))
        #expect(places.count { $0.hasPrefix("/menus/") && $0.hasSuffix("/id") } == 1)
        // The menus that contain what is no veto any longer.
        #expect(places.count { $0.contains("/contains/") } > 1)

        let served = try await Program.run(["serve", "--port", "0", "--store", store, "--catalogue", path])
        #expect(served.ending == .exit(65))
        #expect(served.output.isEmpty)
        #expect(served.errors == remains.errors)
        #expect(folder.names == ["menus.json"])
    }

    @Test("A catalogue that is no JSON")
    func catalogueNoJSON() async throws {
        let path = folder.path("menus.json")
        for text in ["", "{\"version\": 1,", "[]", "\u{0}", String(repeating: "[", count: 100_000)] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let remains = try await Program.run(["check-catalogue", path])
            #expect(remains.ending == .exit(65))
            #expect(remains.output.isEmpty)
            #expect(remains.lines.first == "hansang: \(path) is no playable catalogue:")
            #expect(remains.lines.count > 1)
        }
    }

    @Test("A program that was installed without all of its files says which is missing")
    func missingFiles() async throws {
        let program = folder.path("hansang")
        // By another process: what this one has open for writing every child of it has open, too, for a moment, and then it cannot be run.
        #expect(try await Program.run([Program.path, program], path: "/bin/cp").ending == .exit(0))
        try FileManager.default.createDirectory(atPath: folder.path("Resources/web"), withIntermediateDirectories: true)
        for (file, name) in [
            ("catalogue.json", "the catalogue"), ("openapi.yaml", "openapi.yaml"), ("web/docs.html", "docs.html"),
            ("web/docs.css", "docs.css"), ("web/index.html", "index.html"), ("web/assets", "web/assets"),
        ] {
            let remains = try await Program.run(["serve", "--port", "0", "--store", store], path: program)
            #expect(remains.ending == .exit(69))
            #expect(remains.lines.count == 1)
            #expect(remains.errors.contains(name) && remains.errors.contains("is not where it was installed"), "\(remains.errors)")
            let source = projectFolder.appendingPathComponent("Resources/\(file)").path
            try FileManager.default.copyItem(atPath: source, toPath: folder.path("Resources/\(file)"))
        }
        try Data().write(to: URL(fileURLWithPath: folder.path("Resources/web/assets/notes.txt")))
        let remains = try await Program.run(["serve", "--port", "0", "--store", store], path: program)
        #expect(remains.ending == .exit(69))
        #expect(remains.lines.count == 1)
        #expect(remains.errors.contains("notes.txt is neither .js, .css nor .svg"))
        #expect(!folder.names.contains { $0.contains("sqlite") })
    }

    @Test("The shipped catalogue has no faults")
    func shippedCatalogue() async throws {
        let remains = try await Program.run(["check-catalogue", projectFolder.appendingPathComponent("Resources/catalogue.json").path])
        #expect(remains.ending == .exit(0))
        #expect(remains.errors.isEmpty)
        #expect(remains.text.hasSuffix("no faults\n"))
    }

    @Test(
        "Whatever the working folder, it finds its catalogue; a relative store is in that folder, and the default one in data",
        arguments: [nil, "rooms.sqlite"])
    func workingFolder(store: String?) async throws {
        let arguments = ["--port", "0"] + (store.map { ["--store", "sqlite:\($0)"] } ?? [])
        let server = try await ServerProcess(in: nil, arguments, workingFolder: folder.url.path)
        for path in ["/v1/game", "/docs"] { #expect(try await server.client().send("GET", path).status == 200) }
        #expect(access(folder.path(store ?? "data/hansang.sqlite"), F_OK) == 0)
        server.program.send(SIGTERM)
        #expect(try await server.program.end() == .exit(0))
    }

    @Test("From the root of the file system")
    func rootFolder() async throws {
        let server = try await ServerProcess(in: folder, workingFolder: "/")
        #expect(try await server.client().send("GET", "/v1/menus").status == 200)
    }
}
