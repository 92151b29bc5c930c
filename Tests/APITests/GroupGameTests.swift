import HTTP
import JSON
import TestSupport
import Testing
import UseCases

@Suite("A group game")
struct GroupGameTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    @Test("Three open, join, submit, reveal, and all read the same result")
    func wholeGame() async throws {
        let opened = await server.send(.post, "/v1/rooms", token: token(1), json: #"{"nickname":"민지"}"#)
        #expect(opened.status == 201)
        let pin = try #require(opened.json["pin"]?.string)
        #expect(opened["Location"] == "/v1/rooms/\(pin)")
        #expect(opened.json["phase"]?.string == "open")
        #expect(opened.json["isHost"]?.bool == true)
        #expect(opened.json["members"]?.array?.first?["nickname"]?.string == "민지")
        #expect(opened.json["staleAt"]?.integer == 1_790_000_010_000)
        #expect(opened.json["expiresAt"]?.integer == 1_790_086_400_000)

        let joined = await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(2), json: #"{"nickname":"🐺"}"#)
        #expect(joined.status == 201)
        #expect(joined.json["memberCount"]?.integer == 2)
        #expect(joined.json["isHost"]?.bool == false)

        for (number, answers) in [
            #"{"answers":{"spicy":"like","staple":["soup"]}}"#, #"{"answers":{"spicy":"like"},"vetoes":["seafood"]}"#,
            #"{"answers":{"cuisine":["korean"]}}"#,
        ]
        .enumerated() {
            let submitted = await server.submit(pin, token(number + 1), answers)
            #expect(submitted.status == 201)
            #expect(submitted.json["room"]?["submissionCount"]?.integer == Int64(number + 1))
            #expect(submitted.json["submission"]?["id"]?.string == "s_\(number + 1)")
        }
        let early = await server.send(.get, "/v1/rooms/\(pin)/result")
        #expect(early.status == 409)
        #expect(early.code == "not-revealed")

        let revealed = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(revealed.status == 200)
        #expect(revealed.json["playerCount"]?.integer == 3)
        let menus = try #require(revealed.json["menus"]?.array)
        #expect(menus.count == 3)
        #expect(menus.compactMap { $0["rank"]?.integer } == [1, 2, 3])
        #expect(Set(menus.compactMap { $0["id"]?.string }).count == 3)
        #expect(revealed.json["excluded"]?["vetoes"] == .array([.string("seafood")]))
        let spicy = menus[0]["keywords"]?.array?.first { $0["id"]?.string == "spicy" }
        #expect(spicy?["label"]?.string == "매콤")
        #expect(spicy?["supporters"]?.integer == 2)

        for reader in [token(1), token(2), nil] {
            let read = await server.send(.get, "/v1/rooms/\(pin)/result", token: reader)
            #expect(read.body == revealed.body)
        }
        let again = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(again.body == revealed.body)
        let room = await server.send(.get, "/v1/rooms/\(pin)", token: token(3))
        #expect(room.json["phase"]?.string == "revealed")
        #expect(room.json["sequence"] == revealed.json["sequence"])
    }

    @Test("A submission after the reveal is refused and the result stays")
    func lateSubmission() async throws {
        let pin = try await server.open(token(1))
        _ = await server.submit(pin, token(1), #"{"answers":{"rich":"like"}}"#)
        let revealed = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        for late in [token(1), token(2)] {
            let answer = await server.submit(pin, late, #"{"answers":{"rich":"dislike"}}"#)
            #expect(answer.status == 409)
            #expect(answer.code == "already-revealed")
        }
        let withdrawn = await server.send(.delete, "/v1/rooms/\(pin)/submission", token: token(1))
        #expect(withdrawn.code == "already-revealed")
        let read = await server.send(.get, "/v1/rooms/\(pin)/result")
        #expect(read.body == revealed.body)
    }

    @Test("Restarting takes the submission back, vetoes and all, and again is fine")
    func withdrawal() async throws {
        let pin = try await server.open(token(1))
        _ = await server.submit(pin, token(1), #"{"answers":{"rich":"like"}}"#)
        _ = await server.submit(pin, token(2), #"{"vetoes":["meat","seafood","spicy"]}"#)
        for _ in 1...2 {
            #expect(await server.send(.delete, "/v1/rooms/\(pin)/submission", token: token(2)).status == 204)
        }
        let missing = await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(2))
        #expect(missing.code == "submission-not-found")
        let revealed = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(revealed.json["playerCount"]?.integer == 1)
        #expect(revealed.json["excluded"]?["menus"]?.integer == 0)
    }

    @Test("After an app kill the same token finds its submission and its place as they were")
    func return_() async throws {
        let pin = try await server.open(token(1))
        let sheet =
            #"{"answers":{"hangover":"like","greasy":"dislike","health":"skip","staple":["rice","soup"],"cuisine":["korean"]},"vetoes":["seafood"]}"#
        _ = await server.submit(pin, token(1), sheet)
        let mine = await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(1))
        let expected = try JSONValue(parsing: Array(sheet.utf8))
        #expect(mine.json["answers"] == expected["answers"])
        #expect(mine.json["vetoes"] == expected["vetoes"])
        #expect(mine.json["revision"]?.integer == 1)
        #expect(mine["ETag"] == "\"1\"")
        let replaced = await server.submit(pin, token(1), "{}")
        #expect(replaced.status == 200)
        #expect(replaced.json["submission"]?["revision"]?.integer == 2)
        #expect(replaced.json["submission"]?["id"] == mine.json["id"])
    }

    @Test("Only the host reveals, and not an empty room")
    func revealRights() async throws {
        let pin = try await server.open(token(1))
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).code == "no-submissions")
        _ = await server.submit(pin, token(2), "{}")
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal").code == "token-required")
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(2)).code == "not-host")
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(3)).code == "not-host")
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)
    }

    @Test("A leaving host hands over to whoever has been there longest; an empty room belongs to the next to come")
    func leaving() async throws {
        let pin = try await server.open(token(1))
        for number in 2...3 { _ = await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(number)) }
        _ = await server.submit(pin, token(1), #"{"vetoes":["meat"]}"#)
        #expect(await server.send(.delete, "/v1/rooms/\(pin)/members/me", token: token(1)).status == 204)
        #expect(await server.send(.delete, "/v1/rooms/\(pin)/members/me", token: token(1)).code == "not-member")
        let room = await server.send(.get, "/v1/rooms/\(pin)", token: token(2))
        #expect(room.json["isHost"]?.bool == true)
        #expect(room.json["memberCount"]?.integer == 2)
        #expect(room.json["submissionCount"]?.integer == 0)
        for number in 2...3 { _ = await server.send(.delete, "/v1/rooms/\(pin)/members/me", token: token(number)) }
        let next = await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(4))
        #expect(next.json["isHost"]?.bool == true)
        #expect(next.json["members"]?.array?.first?["id"]?.string == "m_4")
    }

    @Test("A room reveals itself when as many have submitted as were wished for")
    func revealByCount() async throws {
        let pin = try await server.open(token(1), json: #"{"revealWhen":{"host":false,"submissions":2}}"#)
        _ = await server.submit(pin, token(1), "{}")
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).code == "not-host")
        let last = await server.submit(pin, token(2), "{}")
        #expect(last.status == 201)
        #expect(last.json["room"]?["phase"]?.string == "revealed")
        #expect(await server.submit(pin, token(3), "{}").code == "already-revealed")
        let result = await server.send(.get, "/v1/rooms/\(pin)/result")
        #expect(result.json["playerCount"]?.integer == 2)
        // Whoever taps just then is given what there is.
        for member in 1...2 { #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(member)).body == result.body) }
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(3)).code == "not-host")
    }

    @Test("A deadline reveals by the clock when anyone looks, but not an empty room")
    func revealByDeadline() async throws {
        let wish = #"{"deadlineAt":1790000060000,"revealWhen":{"deadline":true}}"#
        let played = try await server.open(token(1), json: wish)
        let empty = try await server.open(token(2), json: wish)
        _ = await server.submit(played, token(1), "{}")
        server.clock.advance(by: 59_999)
        #expect(await server.send(.get, "/v1/rooms/\(played)").json["phase"]?.string == "open")
        server.clock.advance(by: 1)
        #expect(await server.submit(played, token(3), "{}").code == "already-revealed")
        #expect(await server.send(.get, "/v1/rooms/\(played)").json["phase"]?.string == "revealed")
        #expect(await server.send(.get, "/v1/rooms/\(played)/result").status == 200)
        #expect(await server.send(.get, "/v1/rooms/\(empty)").json["phase"]?.string == "open")
    }

    @Test("A round reveals itself by a deadline of its own, and without one is played as the host likes")
    func roundDeadline() async throws {
        let pin = try await server.open(token(1), json: #"{"deadlineAt":1790000060000,"revealWhen":{"host":false,"deadline":true}}"#)
        _ = await server.submit(pin, token(1), "{}")
        server.clock.advance(by: 60_000)
        let path = "/v1/rooms/\(pin)/rounds"
        for (body, code) in [
            (#"{"deadlineAt":"noon"}"#, "invalid-body"), (#"{"deadlineAt":1790000060000}"#, "invalid-body"),
            (#"{"deadlineAt":1790086400000}"#, "invalid-body"), (#"{"deadlineAt":1e99}"#, "invalid-body"),
        ] {
            let answer = await server.send(.post, path, token: token(1), json: body)
            #expect(answer.code == code && answer.pointers == ["/deadlineAt"], "\(body)")
        }
        #expect(await server.send(.post, path, token: token(1), json: "[]").code == "invalid-body")
        #expect(await server.send(.post, path, token: token(1), json: "{").code == "malformed-json")
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["round"]?.integer == 1)

        let begun = await server.send(.post, path, token: token(1), json: #"{"deadlineAt":1790000090000,"unknown":true}"#)
        #expect(begun.status == 201)
        #expect(begun.json["deadlineAt"]?.integer == 1_790_000_090_000)
        _ = await server.submit(pin, token(1), "{}")
        server.clock.advance(by: 29_999)
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["phase"]?.string == "open")
        server.clock.advance(by: 1)
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["phase"]?.string == "revealed")

        // That is over and goes with its round, and without one it is the host's to reveal.
        for body in ["", "{}", #"{"deadlineAt":null}"#] {
            let begun = await server.send(.post, path, token: token(1), json: body)
            #expect(begun.status == 201)
            #expect(begun.json["deadlineAt"]?.isNull == true)
            _ = await server.submit(pin, token(1), "{}")
            #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)
        }
    }

    @Test("A deadline that lies ahead holds for the next round, too, unless that is to have none")
    func deadlineAhead() async throws {
        let wish = #"{"deadlineAt":1790000060000,"revealWhen":{"deadline":true}}"#
        for (body, phase) in [("", "revealed"), (#"{"deadlineAt":null}"#, "open")] {
            let pin = try await server.open(token(1), json: wish)
            _ = await server.submit(pin, token(1), "{}")
            _ = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
            _ = await server.send(.post, "/v1/rooms/\(pin)/rounds", token: token(1), json: body)
            _ = await server.submit(pin, token(1), "{}")
            server.clock.advance(by: 60_000)
            #expect(await server.send(.get, "/v1/rooms/\(pin)").json["phase"]?.string == phase)
            server.clock.advance(by: -60_000)
        }
    }

    @Test("A room ends a day after it was opened and is then like one that never was")
    func expiry() async throws {
        let pin = try await server.open(token(1))
        server.clock.advance(by: 24 * 60 * 60 * 1000 - 1)
        #expect(await server.send(.get, "/v1/rooms/\(pin)").status == 200)
        server.clock.advance(by: 1)
        let expired = await server.send(.get, "/v1/rooms/\(pin)", token: token(1))
        let unknown = await server.send(.get, "/v1/rooms/\(pin == "000000" ? "000001" : "000000")", token: token(1))
        let malformed = await server.send(.get, "/v1/rooms/kitchen", token: token(1))
        #expect(expired.status == 404)
        #expect(expired.body == unknown.body)
        #expect(expired.body == malformed.body)
        #expect(await server.submit(pin, token(1), "{}").code == "room-not-found")
        let deleted = await withCheckedContinuation { done in server.rooms.sweep { done.resume(returning: $0) } }
        #expect(deleted == 1)
    }
}
