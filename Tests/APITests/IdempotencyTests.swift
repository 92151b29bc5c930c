import API
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Idempotency-Key")
struct IdempotencyTests {
    private func send(
        _ server: TestServer, _ path: String, as number: Int? = 1, key: String, json: String = ""
    ) async -> Answer {
        await server.send(.post, path, token: number.map(token), json: json, fields: ["Idempotency-Key": key])
    }

    @Test("Ten creations with one key at once are one room, and all are told the same, byte for byte, also after a restart")
    func creations() async throws {
        let folder = try TemporaryFolder()
        var bodies: Set<[UInt8]> = []
        var locations: Set<String?> = []
        do {
            let server = try TestServer(folder: folder)
            for answer in await withTaskGroup(
                body: { group in
                    for _ in 0..<10 { group.addTask { await send(server, "/v1/rooms", key: "k", json: #"{"nickname":"민지"}"#) } }
                    return await group.reduce(into: []) { $0.append($1) }
                })
            {
                #expect(answer.status == 201)
                #expect(answer["Content-Type"] == "application/json")
                bodies.insert(answer.body)
                locations.insert(answer["Location"])
            }
        }
        let server = try TestServer(seed: 2, folder: folder)
        server.clock.advance(by: 60_000)
        let late = await send(server, "/v1/rooms", key: "k", json: #"{"nickname":"민지"}"#)
        #expect(late.status == 201)
        #expect(bodies == [late.body])
        #expect(locations == [late["Location"]])
        #expect(await send(server, "/v1/rooms", key: "other").body != late.body)
    }

    @Test("Every POST has it: reveal, decision, rounds, solo")
    func everyPost() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        let early = await send(server, "/v1/rooms/\(pin)/reveal", key: "early")
        #expect(early.code == "no-submissions")
        _ = await server.submit(pin, token(2), #"{"answers":{"spicy":"like"}}"#)
        // A tap that comes late, when it was refused long ago, does nothing any more.
        let late = await send(server, "/v1/rooms/\(pin)/reveal", key: "early")
        #expect(late.body == early.body)
        #expect(late.status == 409)
        #expect(late["Content-Type"] == "application/problem+json")
        let revealed = await send(server, "/v1/rooms/\(pin)/reveal", key: "r")
        #expect(revealed.status == 200)
        let menu = try #require(revealed.json["menus"]?.array?.first?["id"]?.string)
        let decided = await send(server, "/v1/rooms/\(pin)/decision", key: "d", json: #"{"menuId":"\#(menu)"}"#)
        #expect(decided.status == 200)
        let begun = await send(server, "/v1/rooms/\(pin)/rounds", key: "n")
        #expect(begun.status == 201)
        let solo = await send(server, "/v1/solo", key: "s", json: #"{"answers":{"rich":"like"}}"#)
        #expect(solo.status == 200)
        server.clock.advance(by: 5000)
        // The room has moved on, and the answers are those of then.
        #expect(await send(server, "/v1/rooms/\(pin)/reveal", key: "r").body == revealed.body)
        #expect(await send(server, "/v1/rooms/\(pin)/decision", key: "d", json: #"{"menuId":"\#(menu)"}"#).body == decided.body)
        #expect(await send(server, "/v1/rooms/\(pin)/rounds", key: "n").body == begun.body)
        #expect(await send(server, "/v1/solo", key: "s", json: #"{"answers":{"rich":"like"}}"#).body == solo.body)
        let room = await server.send(.get, "/v1/rooms/\(pin)")
        #expect(room.json["round"]?.integer == 2)
        #expect(room.json["sequence"] == begun.json["sequence"])
        // Who says nothing of themself has nothing that could be theirs.
        let strangers = [
            await send(server, "/v1/solo", as: nil, key: "s", json: "{}"), await send(server, "/v1/solo", as: nil, key: "s", json: "{}"),
        ]
        #expect(strangers[0].json["seed"] != strangers[1].json["seed"])
    }

    @Test("What is wrong with a request is not kept: put right, it is carried out under the same key")
    func faulty() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        _ = await server.submit(pin, token(1), "{}")
        _ = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        let now = server.clock.now.milliseconds
        for deadline in ["\"noon\"", "\(now)", "\(now + 86_400_000)"] {
            let refused = await send(server, "/v1/rooms/\(pin)/rounds", key: "k", json: #"{"deadlineAt":\#(deadline)}"#)
            #expect(refused.code == "invalid-body")
        }
        let begun = await send(server, "/v1/rooms/\(pin)/rounds", key: "k", json: #"{"deadlineAt":\#(now + 1000)}"#)
        #expect(begun.status == 201)
    }

    @Test("A key is good for one request: another body or another path is refused, another device has its own")
    func reuse() async throws {
        let server = try TestServer()
        let first = await send(server, "/v1/rooms", key: "k", json: #"{"nickname":"a"}"#)
        let other = await send(server, "/v1/rooms", key: "k", json: #"{"nickname":"b"}"#)
        #expect(other.status == 422)
        #expect(other.code == "idempotency-key-reused")
        #expect(await send(server, "/v1/solo", key: "k", json: #"{"nickname":"a"}"#).code == "idempotency-key-reused")
        let theirs = await send(server, "/v1/rooms", as: 2, key: "k", json: #"{"nickname":"a"}"#)
        #expect(theirs.status == 201)
        #expect(theirs.json["pin"] != first.json["pin"])
        #expect(await send(server, "/v1/rooms", key: "k", json: #"{"nickname":"a"}"#).body == first.body)
    }

    @Test("A repeat depends on nothing but what it repeats: not on the time, nor on what has become of the room")
    func repeats() async throws {
        let server = try TestServer()
        let body = #"{"deadlineAt":\#(server.clock.now.milliseconds + 60_000),"revealWhen":{"deadline":true}}"#
        let opened = await send(server, "/v1/rooms", key: "k", json: body)
        #expect(opened.status == 201)
        server.clock.advance(by: 120_000)
        #expect(await send(server, "/v1/rooms", key: "k", json: body).body == opened.body)
        #expect(await send(server, "/v1/rooms", key: "new", json: body).status == 422)
        let pin = try #require(opened.json["pin"]?.string)
        #expect(await server.send(.delete, "/v1/rooms/\(pin)", token: token(1)).status == 204)
        #expect(await send(server, "/v1/rooms", key: "k", json: body).body == opened.body)
        server.clock.advance(by: 24 * 60 * 60 * 1000)
        #expect(await send(server, "/v1/rooms", key: "k", json: body).status == 422)
    }

    @Test("What tells of a room goes with it when it is closed; that it was opened is remembered for whoever did")
    func closed() async throws {
        let server = try TestServer()
        let opened = await send(server, "/v1/rooms", key: "o")
        let pin = try #require(opened.json["pin"]?.string)
        _ = await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(2), json: #"{"nickname":"지민"}"#)
        _ = await server.submit(pin, token(2), "{}")
        _ = await send(server, "/v1/rooms/\(pin)/reveal", key: "r")
        #expect(await send(server, "/v1/rooms/\(pin)/rounds", key: "n").text.contains("지민"))
        #expect(await server.send(.delete, "/v1/rooms/\(pin)", token: token(1)).status == 204)
        for key in ["r", "n"] {
            #expect(await send(server, "/v1/rooms/\(pin)/\(key == "r" ? "reveal" : "rounds")", key: key).code == "room-not-found")
        }
        #expect(await send(server, "/v1/rooms", key: "o").body == opened.body)
    }

    @Test("Ten taps at once take one of the rooms that an address may open; a solo game that is kept takes one as well")
    func limits() async throws {
        let server = try TestServer(limits: ClientLimits(roomsPerHour: 3))
        let statuses = await withTaskGroup { group in
            for _ in 0..<10 { group.addTask { await send(server, "/v1/rooms", key: "k").status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 201, count: 10))
        #expect(await send(server, "/v1/solo", as: 2, key: "s", json: "{}").status == 200)
        #expect(await send(server, "/v1/solo", as: 2, key: "s", json: "{}").status == 200)
        #expect(await send(server, "/v1/rooms", as: 3, key: "k").status == 201)
        #expect(await send(server, "/v1/rooms", as: 3, key: "another").status == 429)
        #expect(await send(server, "/v1/solo", as: 3, key: "s", json: "{}").status == 429)
        // Without a key nothing is kept.
        #expect(await server.send(.post, "/v1/solo", token: token(3), json: "{}").status == 200)
        #expect(await send(server, "/v1/rooms", key: "k").status == 201)
    }

    @Test(
        "A key is 1 to 128 visible ASCII characters, and one",
        arguments: [
            ("", false), ("a", true), (String(repeating: "~", count: 128), true), (String(repeating: "~", count: 129), false),
            ("a b", false), ("키", false), ("\"quoted\"", true),
        ])
    func keys(key: String, isValid: Bool) async throws {
        let server = try TestServer()
        let answer = await send(server, "/v1/rooms", key: key)
        #expect(answer.status == (isValid ? 201 : 400))
        if !isValid { #expect(answer.code == "malformed-request") }
        let two = await server.send(
            .post, "/v1/rooms", token: token(1), lines: [("Idempotency-Key", "a"), ("Idempotency-Key", "b")])
        #expect(two.code == "malformed-request")
        // Other methods are idempotent by themselves.
        #expect(await server.send(.get, "/v1/game", fields: ["Idempotency-Key": key]).status == 200)
    }
}
