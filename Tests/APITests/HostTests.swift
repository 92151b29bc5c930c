import HTTP
import JSON
import TestSupport
import Testing

@Suite("The host's powers over HTTP")
struct HostTests {
    private let server: TestServer
    private let pin: String

    init() async throws {
        server = try TestServer()
        pin = try await server.open(token(1))
        for number in 2...4 { _ = await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(number)) }
    }

    private func room(_ token: String? = nil) async -> JSONValue { await server.send(.get, "/v1/rooms/\(pin)", token: token).json }

    private func reveal() async throws -> [String] {
        #expect(await server.submit(pin, token(2), #"{"answers":{"spicy":"like"}}"#).status == 201)
        let revealed = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(revealed.status == 200)
        return try #require(revealed.json["menus"]?.array).compactMap { $0["id"]?.string }
    }

    @Test("All of it is the host's alone: a member, a stranger and nobody are told so, and nothing changes")
    func hostOnly() async throws {
        let menus = try await reveal()
        let before = await room()["sequence"]
        let requests: [(HTTP.Method, String, String)] = [
            (.put, "/host", #"{"memberId":"m_2"}"#), (.delete, "/members/m_3", ""), (.post, "/decision", #"{"menuId":"\#(menus[0])"}"#),
            (.post, "/rounds", ""), (.delete, "", ""),
        ]
        for (method, path, body) in requests {
            for other in [token(2), token(9)] {
                let answer = await server.send(method, "/v1/rooms/\(pin)\(path)", token: other, json: body)
                #expect(answer.status == 403)
                #expect(answer.code == "not-host")
            }
            #expect(await server.send(method, "/v1/rooms/\(pin)\(path)", json: body).status == 401)
            #expect(await server.send(method, "/v1/rooms/999999\(path)", token: token(1), json: body).code == "room-not-found")
        }
        #expect(await room()["sequence"] == before)
    }

    @Test("They hand the room over; the former host is a member like any other")
    func handOver() async {
        let answer = await server.send(.put, "/v1/rooms/\(pin)/host", token: token(1), json: #"{"memberId":"m_3"}"#)
        #expect(answer.status == 200)
        #expect(answer.json["isHost"]?.bool == false)
        #expect(await room(token(3))["isHost"]?.bool == true)
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).code == "not-host")
        for body in [#"{"memberId":"m_9"}"#, #"{"memberId":"me"}"#, #"{"memberId":3}"#, "{}"] {
            let refused = await server.send(.put, "/v1/rooms/\(pin)/host", token: token(3), json: body)
            #expect(refused.status == 422)
            #expect(refused.code == "invalid-body")
            #expect(refused.pointers == ["/memberId"])
        }
    }

    @Test("They remove a member, who cannot come back with that token and may still watch; others come as before")
    func remove() async {
        #expect(await server.submit(pin, token(3), #"{"vetoes":["meat"]}"#).status == 201)
        let removed = await server.send(.delete, "/v1/rooms/\(pin)/members/m_3", token: token(1))
        #expect(removed.status == 204)
        #expect(removed.body.isEmpty)
        let seen = await room(token(3))
        #expect(seen["memberCount"]?.integer == 3)
        #expect(seen["submissionCount"]?.integer == 0)
        #expect(seen["isMember"]?.bool == false)
        let back = [
            await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(3), json: #"{"nickname":"다시"}"#),
            await server.submit(pin, token(3), "{}"),
        ]
        for answer in back {
            #expect(answer.status == 403)
            #expect(answer.code == "removed")
        }
        #expect(await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(5)).status == 201)
        // Once more, and somebody who left by themself: done is done.
        #expect(await server.send(.delete, "/v1/rooms/\(pin)/members/m_3", token: token(1)).status == 204)
        for id in ["m_99", "m_0", "m_-1", "m_03", "m_3x", "3", "%20", "m_99999999999999999999"] {
            let answer = await server.send(.delete, "/v1/rooms/\(pin)/members/\(id)", token: token(1))
            #expect(answer.status == 404)
            #expect(answer.code == "route-not-found")
        }
    }

    @Test("They decide on one of the three; the room and every later reader know it")
    func decide() async throws {
        let early = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"bibimbap"}"#)
        #expect(early.code == "not-revealed")
        let menus = try await reveal()
        let result = await server.send(.get, "/v1/rooms/\(pin)/result")
        #expect(await room()["decision"] == .null)
        let decided = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(menus[2])"}"#)
        #expect(decided.status == 200)
        #expect(decided.json["phase"]?.string == "decided")
        #expect(decided.json["decision"]?["menuId"]?.string == menus[2])
        let again = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(menus[2])"}"#)
        #expect(again.status == 200)
        #expect(again.json["sequence"] == decided.json["sequence"])
        let other = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(menus[0])"}"#)
        #expect(other.status == 409)
        #expect(other.code == "already-decided")
        for body in [#"{"menuId":"no-such-menu"}"#, #"{"menuId":""}"#, #"{"menuId":1}"#, "{}"] {
            let refused = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: body)
            #expect(refused.status == 422)
            #expect(refused.pointers == ["/menuId"])
        }
        // The result itself is frozen.
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result").body == result.body)
        #expect(await server.submit(pin, token(4), "{}").code == "already-revealed")
    }

    @Test("They play again with the same PIN and members; each round keeps its result, and menus shown before come last")
    func rounds() async throws {
        #expect(await server.send(.post, "/v1/rooms/\(pin)/rounds", token: token(1)).code == "not-revealed")
        var shown = Set(try await reveal())
        let first = await server.send(.get, "/v1/rooms/\(pin)/result")
        _ = await server.send(.post, "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(shown.first ?? "")"}"#)
        let before = try #require(await room()["sequence"]?.integer)
        let begun = await server.send(.post, "/v1/rooms/\(pin)/rounds", token: token(1))
        #expect(begun.status == 201)
        #expect(begun.json["round"]?.integer == 2)
        #expect(begun.json["phase"]?.string == "open")
        #expect(begun.json["decision"] == .null)
        #expect(begun.json["memberCount"]?.integer == 4)
        #expect(begun.json["submissionCount"]?.integer == 0)
        #expect(begun.json["pin"]?.string == pin)
        #expect(try #require(begun.json["sequence"]?.integer) > before)
        #expect(await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(2)).code == "submission-not-found")
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result").code == "not-revealed")
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result?round=1").body == first.body)
        let second = try await reveal()
        #expect(shown.isDisjoint(with: second))
        shown.formUnion(second)
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result?round=1").body == first.body)
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result").json["round"]?.integer == 2)
        for round in ["0", "-1", "x", "%2B1", "", "9223372036854775808"] {
            #expect(await server.send(.get, "/v1/rooms/\(pin)/result?round=\(round)").code == "malformed-request")
        }
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result?round=3").code == "not-revealed")
    }

    @Test("They close the room: for everybody, themselves too, it is a room that never was")
    func close() async throws {
        _ = try await reveal()
        #expect(await server.send(.delete, "/v1/rooms/\(pin)", token: token(1)).status == 204)
        let never = await server.send(.get, "/v1/rooms/000000")
        for path in ["", "/result", "/submission"] {
            let gone = await server.send(.get, "/v1/rooms/\(pin)\(path)", token: token(1))
            #expect(gone.status == 404)
            #expect(gone.body == never.body)
        }
        #expect(await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(2)).code == "room-not-found")
        #expect(await server.send(.delete, "/v1/rooms/\(pin)", token: token(1)).code == "room-not-found")
    }
}
