import Foundation
import JSON
import TestSupport
import Testing

@testable import hansang

@Suite("Moving from a file to a database", .sharesPostgres, .serialized, .timeLimit(.minutes(2)))
struct CopyTests {
    private let folder: TemporaryFolder
    private let schema: PostgresServer.Schema
    private var file: String { "sqlite:\(folder.path("rooms.sqlite"))" }

    init() throws {
        folder = try TemporaryFolder()
        schema = try PostgresServer.shared().schema()
    }

    private func copy() async throws -> Program.Remains { try await Program.run(["copy", "--from", file, "--to", schema.uri]) }

    private func node() throws -> LiveServer {
        try LiveServer(in: folder) { configuration in
            configuration.store = .postgres(uri: schema.uri)
            configuration.tokenKeyPath = folder.path("rooms.sqlite.key")
        }
    }

    /// Two rounds, of which one is decided, and somebody who was removed; then the third with an answer.
    private func play(on client: WireClient, keys: String = "game") async throws -> String {
        let pin = try await client.open(token(1), json: #"{"nickname":"민지 👩‍🍳"}"#)
        for number in 1...4 {
            #expect(try await client.submit(pin, token(number), #"{"answers":{"spicy":"like"},"vetoes":["meat"]}"#).status == 201)
        }
        #expect(try await client.send("DELETE", "/v1/rooms/\(pin)/members/m_4", token: token(1)).status == 204)
        for round in 1...2 {
            let key = ["Idempotency-Key: \"\(keys)-\(round)\""]
            let result = try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1), fields: key).json
            let menu = try #require(result["menus"]?.array?.first?["id"]?.string)
            _ = try await client.send("POST", "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menu":"\#(menu)"}"#)
            #expect(try await client.send("POST", "/v1/rooms/\(pin)/rounds", token: token(1)).status == 201)
            #expect(try await client.submit(pin, token(2), #"{"answers":{"hangover":"dislike"}}"#).status == 201)
        }
        return pin
    }

    /// What anybody may read of a room, and what its members may.
    private func everything(of pin: String, on client: WireClient) async throws -> [String] {
        var bodies: [String] = []
        for path in ["/submission", "/rounds/1/result", "/rounds/2/result", "/result"] {
            bodies.append(try await client.send("GET", "/v1/rooms/\(pin)\(path)", token: token(2)).text)
        }
        let snapshot = try await client.send("GET", "/v1/rooms/\(pin)", token: token(1)).json
        return bodies
            + ["id", "sequence", "phase", "round", "members", "isHost", "createdAt", "expiresAt", "submissionCount"].map {
                "\(String(describing: snapshot[$0]))"
            }
    }

    @Test("Everything is there afterwards, byte for byte: rooms, results, hosts, who was removed, and answers under their keys")
    func copies() async throws {
        let server = try LiveServer(in: folder)
        let before = try server.client()
        let pins = try await [play(on: before), before.open(token(7))]
        let bodies = try await pins.asyncMap { try await everything(of: $0, on: before) }
        let key = ["Idempotency-Key: \"opening\""]
        let opened = try await before.send("POST", "/v1/rooms", token: token(9), json: "{}", fields: key).body
        let device = #"{"platform":"fcm","pushToken":"token-of-minji"}"#
        #expect(try await before.send("PUT", "/v1/devices/me", token: token(1), json: device).status == 204)
        // As long as a server uses the file it is not copied.
        let early = try await copy()
        #expect(early.ending == .exit(69) && early.lines.count == 1, "\(early.errors)")
        await server.stop()

        let moved = try await copy()
        #expect(moved.ending == .exit(0), "\(moved.errors)")
        #expect(moved.text.hasPrefix("3 rooms, 5 members, 2 results and "), "\(moved.text)")
        let node = try node()
        let after = try node.client()
        #expect(try await pins.asyncMap { try await everything(of: $0, on: after) } == bodies)
        #expect(try await after.send("POST", "/v1/rooms", token: token(9), json: "{}", fields: key).body == opened)
        #expect(try await after.join(pins[0], token(4)).code == "removed")
        #expect(try await after.join(pins[0], token(5)).status == 201)
        #expect(try schema.run("SELECT push_token FROM device") == ["token-of-minji"])
        let check = try await Program.run(
            ["check", "--store", schema.uri, "--token-key", folder.path("rooms.sqlite.key")])
        #expect(check.ending == .exit(0) && check.text.contains("3 rooms, 2 results, no faults"), "\(check.text)\(check.errors)")

        // Not twice: the database is in use.
        let again = try await copy()
        #expect(again.ending == .exit(69) && again.errors.contains("in use"), "\(again.errors)")
        let password = try #require(schema.uri.split(separator: "@").first?.split(separator: ":").last)
        #expect(password.count > 5 && !(early.errors + moved.text + again.errors + check.text).contains(password))
    }

    /// Not all rooms are there: that is said by whoever would use them.
    private func expectNobodyServes(location: SourceLocation = #_sourceLocation) async throws {
        let store = ["--store", schema.uri, "--token-key", folder.path("rooms.sqlite.key")]
        let server = try await Program.run(["serve", "--port", "0"] + store)
        #expect(server.ending == .exit(69) && server.errors.contains("a copy to it"), "\(server.errors)", sourceLocation: location)
        let check = try await Program.run(["check"] + store)
        #expect(check.ending == .exit(65) && check.errors.contains("a copy to it"), "\(check.errors)", sourceLocation: location)
    }

    @Test("No server starts where a copy is under way or broke off")
    func under() async throws {
        let server = try LiveServer(in: folder)
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await client.submit(pin, token(1), #"{"answers":{"spicy":"like"}}"#).status == 201)
        await server.stop()
        // It comes as far as a room that cannot be read.
        try SQLiteTampering.run("UPDATE submission SET answers = 'none'", on: folder.path("rooms.sqlite"))
        #expect(try await copy().ending == .exit(69))
        try await expectNobodyServes()
        #expect(try schema.run("SELECT octet_length(fingerprint) FROM token_key") == ["0"])
    }

    @Test("What broke off half-way is taken up again, and what is somebody else's is refused")
    func again() async throws {
        let server = try LiveServer(in: folder)
        let client = try server.client()
        for number in 1...3 { _ = try await play(on: client, keys: "game-\(number)") }
        await server.stop()
        #expect(try await copy().ending == .exit(0))
        // As if it had ended before the last rooms and the key came.
        try schema.run("DELETE FROM token_key; DELETE FROM room WHERE id = (SELECT max(id) FROM room)")
        for table in ["pin_claim", "opening", "receipt"] {
            try schema.run("DELETE FROM \(table) WHERE room NOT IN (SELECT id FROM room)")
        }
        // And as if it had brought what has expired since.
        let nobody = "decode(repeat('00', 32), 'hex')"
        try schema.run(
            """
            INSERT INTO device (key, owner, platform, push_token, language, registered_at, expires_at)
            VALUES (1, \(nobody), 'fcm', 'of-nobody-any-more', 'ko', 1, 2);
            INSERT INTO receipt (owner, key, request, answer, kept_at, expires_at, room)
            SELECT \(nobody), 'expired', \(nobody), 'x', 1, 2, min(id) FROM room;
            INSERT INTO room_receipt (room, owner, key, expires_at, bytes) SELECT min(id), \(nobody), 'expired', 2, 1 FROM room
            """)
        try await expectNobodyServes()
        let resumed = try await copy()
        #expect(resumed.ending == .exit(0), "\(resumed.errors)")
        #expect(try schema.run("SELECT count(*) FROM room") == ["3"])

        try schema.run("DELETE FROM token_key; UPDATE pin_claim SET pin = '9' || pin; UPDATE room SET pin = '9' || pin")
        #expect(try await copy().ending == .exit(69))
    }
}
