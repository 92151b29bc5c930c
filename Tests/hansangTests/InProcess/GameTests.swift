import JSON
import TestSupport
import Testing

@Suite("A game over sockets", .serialized, .timeLimit(.minutes(2)))
struct GameTests {
    @Test("Three phones open, join, submit and reveal, and read the same result")
    func wholeGame() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let phones = try (0..<3).map { _ in try server.client() }
        let pin = try await phones[0].open(token(0), json: #"{"nickname":"민지"}"#)
        let joined = try await phones[1].send("PUT", "/v1/rooms/\(pin)/members/me", token: token(1), json: #"{"nickname":"🐺"}"#)
        #expect(joined.status == 201)
        for (number, answers) in [#"{"answers":{"spicy":"like"}}"#, #"{"vetoes":["seafood"]}"#, "{}"].enumerated() {
            #expect(try await phones[number].submit(pin, token(number), answers).status == 201)
        }
        #expect(try await phones[2].send("GET", "/v1/rooms/\(pin)/result").code == "not-revealed")
        #expect(try await phones[1].send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).code == "not-host")

        let revealed = try await phones[0].send("POST", "/v1/rooms/\(pin)/reveal", token: token(0))
        #expect(revealed.status == 200)
        #expect(revealed.json["playerCount"]?.integer == 3)
        #expect(revealed.json["menus"]?.array?.count == 3)
        for phone in phones { #expect(try await phone.send("GET", "/v1/rooms/\(pin)/result").body == revealed.body) }
        #expect(try await phones[2].submit(pin, token(2)).code == "already-revealed")
    }

    @Test("After a stop and a start all is as it was: host, submission, sequence and, to the byte, the result")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let first = try LiveServer(in: folder)
        let before = try first.client()
        let pin = try await before.open(token(1), json: #"{"nickname":"민지"}"#)
        let open = try await before.open(token(1))
        _ = try await before.submit(pin, token(1), #"{"answers":{"rich":"like"}}"#)
        _ = try await before.submit(pin, token(2), #"{"answers":{"staple":["soup"]},"vetoes":["meat"]}"#)
        _ = try await before.submit(open, token(2), #"{"answers":{"hangover":"dislike"}}"#)
        let revealed = try await before.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1))
        let paths = ["/v1/rooms/\(pin)/submission", "/v1/rooms/\(open)/submission", "/v1/rooms/\(pin)/result"]
        let bodies = try await paths.asyncMap { try await before.send("GET", $0, token: token(2)).body }
        let rooms = try await [pin, open].asyncMap { try await before.send("GET", "/v1/rooms/\($0)", token: token(1)).json }
        await first.stop()

        let second = try LiveServer(in: folder)
        let after = try second.client()
        #expect(try await paths.asyncMap { try await after.send("GET", $0, token: token(2)).body } == bodies)
        #expect(bodies[2] == revealed.body)
        for (pin, room) in zip([pin, open], rooms) {
            let now = try await after.send("GET", "/v1/rooms/\(pin)", token: token(1)).json
            for name in ["id", "sequence", "phase", "members", "isHost", "createdAt", "expiresAt", "submissionCount"] {
                #expect(now[name] == room[name])
            }
        }
        // Still the host, who may do what a host may.
        #expect(try await after.send("POST", "/v1/rooms/\(open)/reveal", token: token(1)).status == 200)
        #expect(try await after.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).body == revealed.body)
    }

    @Test("Two hundred members submit to each of two rooms over connections of their own, and all two hundred are in each")
    func twoRooms() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let host = try server.client()
        let pins = [try await host.open(token(0)), try await host.open(token(0))]
        let statuses = try await atOnce(0..<400) { number in
            let pin = pins[number % 2]
            return try server.client().ask("PUT", "/v1/rooms/\(pin)/submission", token: token(1 + number / 2), json: "{}").status
        }
        #expect(statuses.allSatisfy { $0 == 201 })
        for pin in pins {
            let room = try await host.send("GET", "/v1/rooms/\(pin)").json
            #expect(room["submissionCount"]?.integer == 200)
            #expect(room["memberCount"]?.integer == 201)
            #expect(try await host.send("POST", "/v1/rooms/\(pin)/reveal", token: token(0)).json["playerCount"]?.integer == 200)
        }
    }
}
