import API
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("What the shipped app's first server got wrong")
struct LegacySafetyTests {
    let server: TestServer

    init() throws { server = try TestServer.legacy() }

    @Test("Answers that come after the reveal are refused and not dropped without a word")
    func late() async throws {
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(1))
        let result = await server.legacyResult(pin)
        for player in 1...2 {
            let late = await server.legacySubmit(pin, token(player), #"{"rich":true}"#)
            #expect(late.status == 409)
            #expect(late.code == "already-revealed")
        }
        #expect(await server.legacyResult(pin).body == result.body)
    }

    @Test("Who answers again has answered once, and what counts is what they said last")
    func again() async throws {
        let pin = try await server.legacyOpen(token(1))
        for dislikes in [#"["MEAT"]"#, #"["SEAFOOD"]"#, "[]"] { _ = await server.legacySubmit(pin, token(1), dislikes: dislikes) }
        _ = await server.send(.put, "/group/\(pin)?token=\(token(1))")
        for dislikes in [#"["MEAT","SEAFOOD"]"#, "[]"] { _ = await server.legacySubmit(pin, token(1), dislikes: dislikes) }
        #expect(await server.legacyWait(pin, token(1)).json["submissionCount"]?.integer == 1)
        #expect(await server.legacyResult(pin).json["playerCount"]?.integer == 1)
        #expect(await server.send(.get, "/v1/rooms/\(pin)/result").json["excluded"]?["menus"]?.integer == 0)
    }

    @Test("Nobody who looks before anybody has answered ends the game")
    func early() async throws {
        let pin = try await server.legacyOpen(token(1))
        for _ in 1...3 {
            let early = await server.legacyResult(pin)
            #expect(early.status == 409)
            #expect(early.code == "no-submissions")
        }
        #expect(await server.legacyWait(pin, token(1)).json["isGameClosed"]?.bool == false)
        #expect(await server.legacySubmit(pin, token(1)).status == 200)
        #expect(await server.legacyResult(pin).status == 200)
    }

    @Test(
        "Who only looks ahead ends no game, but may see its end",
        arguments: [
            (.head, [:]), (.get, ["Sec-Purpose": "prefetch"]), (.get, ["Sec-Purpose": "prefetch;prerender"]),
            (.get, ["Purpose": "Prefetch"]),
            (.get, ["X-Moz": "prefetch"]), (.get, ["X-Purpose": "preview"]), (.head, ["Purpose": "prefetch"]),
        ] as [(HTTP.Method, [String: String])])
    func prefetch(method: HTTP.Method, fields: [String: String]) async throws {
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(1))
        let ahead = await server.send(method, "/group/\(pin)/gameresult", fields: fields)
        #expect(ahead.status == 409)
        #expect(ahead.code == "not-revealed")
        #expect(await server.legacyWait(pin, token(1)).json["isGameClosed"]?.bool == false)
        let result = await server.legacyResult(pin, fields: ["Purpose": "fetch"])
        #expect(result.status == 200)
        let after = await server.send(method, "/group/\(pin)/gameresult", fields: fields)
        #expect(after.status == 200)
        #expect(after.body == result.body)
    }

    @Test("A stranger with the app ends no game that was opened without it, whoever has answered")
    func otherRooms() async throws {
        for wish in ["{}", #"{"revealWhen":{"anyMember":true}}"#] {
            let pin = try await server.open(token(1), json: wish)
            #expect(await server.legacyResult(pin).code == "not-revealed")
            _ = await server.legacySubmit(pin, token(2))
            for _ in 1...2 { #expect(await server.legacyResult(pin).code == "not-revealed") }
            #expect(await server.send(.get, "/v1/rooms/\(pin)").json["phase"]?.string == "open")
        }
    }

    @Test("Whoever says who they are and is not the host reveals no room of the app")
    func byToken() async throws {
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(2))
        for other in [token(2), token(3)] {
            #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: other).code == "not-host")
        }
        #expect(await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)
    }

    @Test("Everybody who asks at once gets the same bytes")
    func atOnce() async throws {
        let pin = try await server.legacyOpen(token(1))
        for player in 1...20 { _ = await server.legacySubmit(pin, token(player), #"{"spicy":\#(player % 2 == 0)}"#) }
        let bodies = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<50 { group.addTask { await server.legacyResult(pin).body } }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(bodies.count == 1)
        #expect(try JSONValue(parsing: try #require(bodies.first))["playerCount"]?.integer == 20)
    }

    @Test("Nobody's token, answers or result are in any answer before the reveal")
    func secrecy() async throws {
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(1), #"{"nation":["EXOTIC"]}"#, dislikes: #"["INTESTINE"]"#)
        let dishes = try Catalogues.shipped().menus.map { "\"\($0.name.ko)\"" }
        for (method, target) in [
            (.get, "/group/\(pin)"), (.get, "/group/\(pin)/gameresultwait?token=\(token(2))"), (.head, "/group/\(pin)/gameresult"),
            (.get, "/group"), (.get, "/group/\(pin)/gameresultwait"), (.delete, "/group/\(pin)"), (.put, "/group/\(pin)?token=\(token(2))"),
            (.get, "/group/\(pin)/token"),
        ] as [(HTTP.Method, String)] {
            let answer = await server.send(method, target)
            let all = answer.text + answer.fields.map(\.value).joined()
            for secret in ["device-token", "exotic", "EXOTIC", "intestine", "INTESTINE"] { #expect(!all.contains(secret), "\(target)") }
            #expect(!dishes.contains { all.contains($0) })
        }
    }

    @Test(
        "A PIN that no room has is an error to those who act, and nothing else happens", arguments: ["123456", "kitchen", "0", "%00", "-1"])
    func unknown(pin: String) async throws {
        #expect(await server.send(.get, "/group/\(pin)").text == "false")
        #expect(await server.send(.get, "/group/\(pin)").status == 200)
        for answer in [
            await server.legacySubmit(pin, token(1)), await server.legacySubmit(pin, token(1), #"{"spicy":7}"#, pinNumber: "1"),
            await server.legacyWait(pin, token(1)), await server.legacyResult(pin),
            await server.send(.put, "/group/\(pin)?token=\(token(1))"), await server.send(.head, "/group/\(pin)/gameresult"),
        ] {
            #expect(answer.status == 404)
            #expect(answer.code == "room-not-found")
            #expect(answer["Content-Type"] == "application/problem+json")
        }
        #expect(await server.send(.get, "/healthz").status == 200)
    }

    @Test("Guessing PINs by the app's routes counts like any other, though the app is told no more than that there is no room")
    func guessing() async throws {
        let pin = try await server.legacyOpen(token(1))
        for _ in 0..<30 { #expect(await server.send(.get, "/group/kitchen").text == "false") }
        #expect(await server.send(.get, "/group/kitchen").text == "false")
        #expect(await server.send(.get, "/v1/rooms/kitchen").status == 429)
        let throttled = await server.legacyResult("kitchen")
        #expect(throttled.status == 429)
        #expect(throttled["Retry-After"] == "20")
        #expect(await server.send(.get, "/group/\(pin)").text == "true")
        #expect(await server.legacySubmit(pin, token(1)).status == 200)
    }

    @Test("Rooms opened by either way are counted together")
    func creation() async throws {
        let server = try TestServer.legacy(limits: ClientLimits(roomsPerHour: 2))
        #expect(await server.send(.post, "/group?token=short").status == 401)
        _ = try await server.open(token(1))
        _ = try await server.legacyOpen(token(1))
        let refused = await server.send(.post, "/group?token=\(token(1))")
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "1800")
    }

    @Test(
        "A token that is missing or malformed is one that is missing",
        arguments: [
            "", "?", "?token", "?token=", "?token=short", "?token=" + String(repeating: "a", count: 4097),
            "?token=with%20space%20in%20the%20token",
            "?token=broken%2-escape-in-it", "?token=%ED%86%A0%ED%81%B0-%ED%86%A0%ED%81%B0", "?Token=device-token-of-number-1",
            "?token=device-token-of-number-1&token=device-token-of-number-2",
        ])
    func tokens(query: String) async throws {
        let pin = try await server.legacyOpen(token(1))
        for answer in [
            await server.send(.post, "/group\(query)"), await server.send(.put, "/group/\(pin)\(query)"),
            await server.send(.get, "/group/\(pin)/gameresultwait\(query)"),
        ] {
            #expect(answer.status == 401)
            #expect(answer.code == "token-required")
        }
        let parts = query.split(separator: "=", maxSplits: 1)
        for token in ["null", "7", #""short""#, "[]", parts.count > 1 ? "\"\(parts[1].prefix(5))\"" : "{}"] {
            let answer = await server.send(.post, "/group/\(pin)", json: #"{"gameAnswer":{},"dislikedFoods":[],"token":\#(token)}"#)
            #expect(answer.code == "token-required")
        }
    }

    @Test("A token is who somebody is, by whichever way it comes and however the way escapes it")
    func sameToken() async throws {
        let token = "fcm:APA91b+/=~secret_0123456789"
        let escaped = "fcm%3AAPA91b%2B%2F%3D~secret%5F0123456789"
        let pin = try await server.legacyOpen(token)
        for written in [token, escaped] { #expect(await server.legacyWait(pin, written).json["isHost"]?.bool == true) }
        #expect(await server.legacySubmit(pin, token).status == 200)
        #expect(await server.send(.get, "/v1/rooms/\(pin)", token: token).json["hasSubmitted"]?.bool == true)
        #expect(await server.send(.put, "/group/\(pin)?x=1&token=\(escaped)").status == 200)
        #expect(await server.send(.get, "/v1/rooms/\(pin)", token: token).json["hasSubmitted"]?.bool == false)
    }

    @Test("Where a token cannot be told from another just now, nobody is taken for a stranger")
    func noHash() async throws {
        let server = try TestServer(legacy: true, hash: { _ in nil })
        for answer in [
            await server.send(.post, "/group?token=\(token(1))"), await server.legacySubmit("123456", token(1)),
            await server.legacyWait("123456", token(1)),
        ] {
            #expect(answer.code == "store-unavailable")
        }
    }

    @Test("What is there otherwise is said as everywhere", arguments: ["/group", "/group/solo", "/group/123456", "/menu/random"])
    func methods(path: String) async {
        let options = await server.send(.options, path)
        #expect(options.status == 204)
        let wrong = await server.send(.delete, path)
        #expect(wrong.status == 405)
        #expect(wrong["Allow"] == options["Allow"])
        #expect(wrong["Allow"]?.isEmpty == false)
    }
}
