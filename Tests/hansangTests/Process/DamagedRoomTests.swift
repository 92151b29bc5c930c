import Foundation
import JSON
import TestSupport
import Testing

@Suite("Rooms with numbers that no room comes to", .serialized, .timeLimit(.minutes(3)))
struct DamagedRoomTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path("rooms.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// One number of a stored room.
    private struct Column {
        let table: String
        let name: String
        /// Which rows of a room, where it has several.
        var rows = "true"
        /// Whether the room itself goes by it.
        var isOfRoom = true
    }

    /// What one room is given.
    private struct Change {
        let column: Column
        let value: String

        var isDamage: Bool { column.isOfRoom }
        /// Its end has come before anybody looks at the rest.
        var isEnd: Bool { column.name == "expires_at" && column.table == "room" && value == "-1" }
    }

    private static let columns: [Column] =
        [
            "round", "sequence", "host", "last_member", "last_submission", "created_at", "expires_at", "deadline_at",
            "reveal_at_submissions",
        ].map { Column(table: "room", name: $0) } + [
            Column(table: "room", name: "due_at", isOfRoom: false), Column(table: "room", name: "leased_until", isOfRoom: false),
            // The third has submitted nothing that would refer to the number.
            Column(table: "member", name: "number", rows: "number = 3"), Column(table: "member", name: "joined_at"),
            Column(table: "submission", name: "number", rows: "member = 1"),
            Column(table: "submission", name: "revision", rows: "member = 1"),
            Column(table: "submission", name: "submitted_at"),
            Column(table: "result", name: "round"), Column(table: "result", name: "sequence"), Column(table: "result", name: "revealed_at"),
            Column(table: "receipt", name: "kept_at", isOfRoom: false), Column(table: "receipt", name: "expires_at", isOfRoom: false),
        ]

    /// A room with something in every column: three members, a first round that was decided, and a second with two submissions.
    private func play(on client: WireClient, host: String) async throws -> String {
        let deadline = Int(Date.now.timeIntervalSince1970 * 1000) + 3_600_000
        let pin = try await client.open(host, json: #"{"deadlineAt":\#(deadline),"revealWhen":{"deadline":true}}"#)
        let room = "/v1/rooms/\(pin)"
        #expect(try await client.join(pin, token(2)).status == 201)
        #expect(try await client.join(pin, token(3)).status == 201)
        #expect(try await client.submit(pin, token(2), #"{"answers":{"spicy":"like"}}"#).status == 201)
        let result = try await client.send("POST", room + "/reveal", token: host, fields: ["Idempotency-Key: reveal"]).json
        let menu = try #require(result["menus"]?.array?.first?["id"]?.string)
        #expect(try await client.send("POST", room + "/decision", token: host, json: #"{"menuId":"\#(menu)"}"#).status == 200)
        #expect(try await client.send("POST", room + "/rounds", token: host).status == 201)
        for member in [host, token(2)] { #expect(try await client.submit(pin, member).status == 201) }
        return pin
    }

    /// Everything that can be asked of a room; the last ends it.
    private func requests(of pin: String, by host: String) -> [(method: String, target: String, token: String?, json: String?)] {
        let room = "/v1/rooms/\(pin)"
        return [
            ("GET", room, nil, nil), ("GET", room, host, nil), ("GET", room + "/game", nil, nil),
            ("GET", room + "/result?round=1", nil, nil),
            ("GET", room + "/submission", host, nil), ("PUT", room + "/submission", host, "{}"),
            ("PUT", room + "/submission", token(8), "{}"),
            ("PATCH", room + "/submission", host, #"{"answers":{"spicy":"like"}}"#), ("PUT", room + "/members/me", token(9), "{}"),
            ("PUT", room + "/host", host, #"{"memberId":"m_2"}"#), ("PUT", room + "/host", token(2), #"{"memberId":"m_1"}"#),
            ("DELETE", room + "/members/m_3", host, nil), ("DELETE", room + "/submission", token(2), nil),
            ("POST", room + "/reveal", host, nil), ("GET", room + "/result", nil, nil),
            ("POST", room + "/decision", host, #"{"menuId":"none-of-them"}"#), ("POST", room + "/rounds", host, nil),
            ("DELETE", room + "/members/me", token(2), nil), ("DELETE", room, host, nil),
        ]
    }

    @Test("are each named by a check and answer 503 for themselves alone, whatever they are asked") func numbers() async throws {
        let server = try await ServerProcess(in: folder, ["--port", "0", "--rooms-per-hour", "1000"])
        let client = try server.client()
        let cases = Self.columns.flatMap { column in ["9223372036854775807", "-1"].map { Change(column: column, value: $0) } }
        var rooms: [(pin: String, host: String)] = []
        for number in 0...cases.count {
            let host = token(100 + number)
            rooms.append((try await play(on: client, host: host), host))
        }
        try await server.kill()
        for (number, (room, change)) in zip(rooms, cases).enumerated() {
            let key = "(SELECT key FROM room WHERE pin = '\(room.pin)')"
            let owner = change.column.table == "room" ? "key" : "room"
            try SQLiteTampering.run(
                """
                UPDATE \(change.column.table) SET \(change.column.name) = \(change.value) WHERE \(owner) = \(key) AND \(change.column.rows);
                UPDATE room SET id = 'room-\(number)' WHERE key = \(key)
                """, on: store)
        }

        let check = try await Program.run(["check", "--store", "sqlite:\(store)"])
        #expect(check.ending == .exit(65))
        for (number, change) in cases.enumerated() {
            let isNamed = check.errors.contains("room room-\(number) ")
            #expect(isNamed == change.isDamage, "\(change): \(check.errors)")
        }

        let again = try await ServerProcess(in: folder)
        for (number, (room, change)) in zip(rooms, cases).enumerated() {
            let isRefused = change.isDamage && !change.isEnd
            for request in requests(of: room.pin, by: room.host) {
                let answer = try await again.client().send(request.method, request.target, token: request.token, json: request.json)
                #expect(!isRefused || answer.status == 503, "\(change): \(request)")
            }
            // The stream of one that can be read would not end.
            if isRefused {
                #expect(try await again.client().send("GET", "/v1/rooms/\(room.pin)/events", token: room.host).status == 503, "\(change)")
            }
            // It is said which room it is.
            #expect(again.program.errors.contains("room room-\(number) ") == isRefused, "\(change)")
        }
        let whole = try #require(rooms.last)
        for request in requests(of: whole.pin, by: whole.host) {
            let answer = try await again.client().send(request.method, request.target, token: request.token, json: request.json)
            #expect(answer.status < 500, "\(request)")
        }
        #expect(try await again.client().send("POST", "/v1/rooms", token: token(1), json: "{}").status == 201)
        #expect(again.program.ending == nil)
    }
}
