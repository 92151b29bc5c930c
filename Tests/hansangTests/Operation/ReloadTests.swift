import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@testable import hansang

@Suite("Another catalogue while it runs", .timeLimit(.minutes(2)))
struct ReloadTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("menus.json") }

    /// Writes the shipped catalogue with another id for its bibimbap.
    private func write(bibimbap id: String) throws {
        let text = String(decoding: try Catalogues.shippedBytes(), as: UTF8.self)
        try Data(text.replacing(#""id": "bibimbap""#, with: #""id": "\#(id)""#).utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private func server(clock: TestClock? = nil) throws -> LiveServer {
        try LiveServer(in: folder, clock: clock) { configuration in
            configuration.admin = .anyLocalPort
            configuration.cataloguePath = path
            configuration.roomsPerHour = 1_000_000
            configuration.roomsPerToken = 1_000_000
        }
    }

    private func reload(_ server: LiveServer) async throws -> WireAnswer {
        try await WireClient(port: server.adminPort).send("POST", "/catalogue/reload")
    }

    @Test("New rooms have the new one; a room keeps its own, and its menus and pictures are there until it ends")
    func reloaded() async throws {
        let clock = TestClock()
        try write(bibimbap: "old-bibimbap")
        let server = try server(clock: clock)
        let client = try server.client()
        let pin = try await client.open(token(1))
        let game = try await client.send("GET", "/v1/menus")
        try write(bibimbap: "new-bibimbap")
        let answer = try await reload(server)
        #expect(answer.status == 200 && answer.json["isNew"]?.bool == true && answer.json["menus"]?.integer ?? 0 > 10)
        #expect(try await reload(server).json["isNew"]?.bool == false)

        let menus = try await client.send("GET", "/v1/menus", fields: ["If-None-Match: \(game["ETag"] ?? "")"])
        #expect(menus.status == 200 && menus.text.contains("new-bibimbap") && !menus.text.contains("old-bibimbap"))
        for (path, status) in [
            ("/v1/menus/new-bibimbap", 200), ("/v1/menus/old-bibimbap", 200), ("/images/new-bibimbap.svg", 200),
            ("/images/old-bibimbap.svg", 200), ("/v1/menus/no-bibimbap", 404), ("/images/no-bibimbap.svg", 404),
        ] { #expect(try await client.send("GET", path).status == status, "\(path)") }
        #expect(try await client.submit(pin, token(1), #"{"vetoes":["meat"]}"#).status == 201)
        #expect(try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)

        // When nobody can play with it any longer it is forgotten, with the next one.
        clock.advance(by: 24 * 3600 * 1000)
        await server.sweep()
        try write(bibimbap: "third-bibimbap")
        #expect(try await reload(server).status == 200)
        #expect(try await client.send("GET", "/v1/menus/old-bibimbap").status == 404)
        #expect(try await client.send("GET", "/v1/menus/new-bibimbap").status == 404)
        #expect(try await client.send("GET", "/v1/menus/third-bibimbap").status == 200)
    }

    @Test("Whoever joins a room that is older than the cards reads those that it is played with, after a restart too")
    func roomGame() async throws {
        try write(bibimbap: "bibimbap")
        let arguments = ["--port", "0", "--catalogue", path]
        let server = try await ServerProcess(in: folder, arguments)
        let client = try server.client()
        let pin = try await client.open(token(1))
        let old = try await client.send("GET", "/v1/game")
        let shipped = String(decoding: try Catalogues.shippedBytes(), as: UTF8.self)
        try Data(shipped.replacing(#""meat""#, with: #""flesh""#).utf8).write(to: URL(filePath: path), options: .atomic)
        server.program.send(SIGHUP)
        #expect(try await eventually { server.log.contains { $0["event"]?.string == "catalogue-loaded" } })
        let new = try await client.send("GET", "/v1/game")
        let newPIN = try await client.open(token(2))
        func check(_ client: WireClient) async throws {
            for (pin, game, own, other) in [(pin, old, "meat", "flesh"), (newPIN, new, "flesh", "meat")] {
                let answer = try await client.send("GET", "/v1/rooms/\(pin)/game")
                #expect(answer.status == 200 && answer.body == game.body && answer["ETag"] == game["ETag"])
                #expect(
                    try await client.send("GET", "/v1/rooms/\(pin)/game", fields: ["If-None-Match: \(game["ETag"] ?? "")"]).status == 304)
                #expect(answer.json["vetoes"]?.array?.compactMap { $0["id"]?.string }.contains(own) == true)
                #expect(try await client.submit(pin, token(3), #"{"vetoes":["\#(own)"]}"#).status < 300)
                #expect(try await client.submit(pin, token(4), #"{"vetoes":["\#(other)"]}"#).status == 422)
            }
        }
        #expect(old.body != new.body)
        try await check(client)
        try await server.kill()
        let again = try await ServerProcess(in: folder, arguments)
        try await check(again.client())
        try await again.kill()
    }

    @Test("A bad one changes nothing and says what is wrong")
    func bad() async throws {
        try write(bibimbap: "old-bibimbap")
        let server = try server()
        let before = try await server.client().send("GET", "/v1/menus")
        try write(bibimbap: "Bibim bap")
        let answer = try await reload(server)
        #expect(answer.status == 422)
        #expect(answer.json["detail"]?.string == "\(path) is no playable catalogue:")
        #expect(answer.json["faults"]?.array?.contains { $0.string?.hasPrefix("/menus/") == true } == true, "\(answer.text)")
        try FileManager.default.removeItem(atPath: path)
        #expect(try await reload(server).status == 422)
        let after = try await server.client().send("GET", "/v1/menus")
        #expect(after.body == before.body && after["ETag"] == before["ETag"])
        #expect(try await server.client().send("POST", "/v1/rooms", token: token(1)).status == 201)
    }

    @Test("SIGHUP does it, too, and the log tells what came of it; a restart with another has the former ones at hand")
    func signal() async throws {
        try write(bibimbap: "old-bibimbap")
        let arguments = ["--port", "0", "--catalogue", path]
        let server = try await ServerProcess(in: folder, arguments)
        let client = try server.client()
        let pin = try await client.open(token(1))
        try Data("{".utf8).write(to: URL(filePath: path))
        server.program.send(SIGHUP)
        #expect(try await eventually { server.log.contains { $0["event"]?.string == "catalogue-refused" } })
        #expect(server.log.last?["faults"]?.array?.isEmpty == false)
        try write(bibimbap: "new-bibimbap")
        server.program.send(SIGHUP)
        #expect(try await eventually { server.log.contains { $0["event"]?.string == "catalogue-loaded" } })
        #expect(try await client.send("GET", "/v1/menus/new-bibimbap").status == 200)
        let second = try await client.open(token(2))
        try await server.kill()

        try write(bibimbap: "third-bibimbap")
        let again = try await ServerProcess(in: folder, arguments)
        for id in ["old", "new", "third"] {
            #expect(try await again.client().send("GET", "/images/\(id)-bibimbap.svg").status == 200, "\(id)")
        }
        for (pin, number) in [(pin, 1), (second, 2)] {
            #expect(try await again.client().submit(pin, token(number)).status == 201)
            #expect(try await again.client().send("POST", "/v1/rooms/\(pin)/reveal", token: token(number)).status == 200)
        }
        try await again.kill()
        let check = try await Program.run(["check", "--store", "sqlite:\(folder.path("rooms.sqlite"))"])
        #expect(check.ending == .exit(0) && check.text.contains("2 rooms, 2 results, no faults"), "\(check.errors)")
    }

    @Test("No room fails to open, and no game goes wrong, while catalogues come and go")
    func load() async throws {
        try write(bibimbap: "bibimbap-0")
        let server = try server()
        let reloads = 20
        let failures = try await atOnce(0..<5) { number in
            if number == 0 {
                for round in 1...reloads {
                    try write(bibimbap: "bibimbap-\(round)")
                    let answer = try WireClient(port: server.adminPort).ask("POST", "/catalogue/reload")
                    guard answer.status == 200 else { return ["\(answer.status) \(answer.text)"] }
                }
                return []
            }
            let client = try server.client()
            var failures: [String] = []
            for _ in 0..<40 {
                let opened = try client.ask("POST", "/v1/rooms", token: token(number), json: "{}")
                let path = "/v1/rooms/\(opened.json["pin"]?.string ?? "")"
                let answers = [
                    opened, try client.ask("PUT", "\(path)/submission", token: token(number), json: "{}"),
                    try client.ask("DELETE", path, token: token(number)), try client.ask("GET", "/v1/menus/random?veto=meat"),
                    try client.ask("POST", "/v1/solo", json: #"{"vetoes":["meat"]}"#),
                ]
                failures += answers.filter { $0.status >= 300 }.map { "\($0.status) \($0.text)" }
            }
            return failures
        }
        #expect(failures.flatMap(\.self) == [])
        #expect(try await server.client().send("GET", "/v1/menus/bibimbap-\(reloads)").status == 200)
    }

    @Test("A page in the operator's browser cannot have it done, nor can it read anything")
    func origin() async throws {
        try write(bibimbap: "bibimbap")
        let server = try server()
        let admin = try WireClient(port: server.adminPort)
        for (method, target) in [("POST", "/catalogue/reload"), ("GET", "/metrics")] {
            #expect(try await admin.send(method, target, fields: ["Origin: https://elsewhere.example"]).status == 403)
        }
        // Nor under a name of its own that leads here, with which it would be at home.
        for (host, status) in [
            ("elsewhere.example:9464", 421), ("127.0.0.1.elsewhere.example", 421), ("localhost.elsewhere.example", 421),
            ("[::1]:9464", 200),
            ("127.0.0.1:9464", 200), ("LOCALHOST", 200),
        ] {
            #expect(try await admin.send("GET", "/metrics", fields: ["Host: \(host)"]).status == status, "\(host)")
        }
        #expect(AdminResponder.isOurs("Hansang-1:9464", name: "hansang-1") && !AdminResponder.isOurs("hansang-2:9464", name: "hansang-1"))
        #expect(!AdminResponder.isOurs("[::1", name: "::1") && !AdminResponder.isOurs("[elsewhere.example]", name: "::1"))
        #expect(try await admin.send("GET", "/catalogue/reload").status == 405)
        #expect(try await server.client().send("POST", "/catalogue/reload").status == 404)
    }
}
