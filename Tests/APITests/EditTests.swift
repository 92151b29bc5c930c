import HTTP
import JSON
import TestSupport
import Testing

@Suite("Edits of one's submission")
struct EditTests {
    private let server: TestServer
    private let pin: String
    private var path: String { "/v1/rooms/\(pin)/submission" }

    init() async throws {
        server = try TestServer()
        pin = try await server.open(token(1))
    }

    private func patch(_ json: String, as number: Int = 1, _ fields: [String: String] = [:]) async -> Answer {
        var fields = fields
        if fields["Content-Type"] == nil { fields["Content-Type"] = "application/merge-patch+json" }
        return await server.send(.patch, path, token: token(number), json: json, fields: fields)
    }

    @Test("A merge patch changes what it mentions and leaves the rest; the same again is no new revision")
    func patches() async throws {
        let first = await server.submit(pin, token(1), #"{"answers":{"spicy":"like","staple":["rice"]},"vetoes":["meat"]}"#)
        #expect(first["ETag"] == "\"1\"")
        let patched = await patch(#"{"answers":{"spicy":null,"rich":"dislike"}}"#)
        #expect(patched.status == 200)
        #expect(patched["ETag"] == "\"2\"")
        let own = await server.send(.get, path, token: token(1))
        #expect(own.json == patched.json["submission"])
        #expect(try own.json["answers"] == JSONValue(parsing: Array(#"{"rich":"dislike","staple":["rice"]}"#.utf8)))
        #expect(own.json["vetoes"] == .array([.string("meat")]))
        #expect(own.json["id"]?.string == "s_1")

        let sequence = patched.json["room"]?["sequence"]
        let again = await patch(#"{"answers":{"spicy":null,"rich":"dislike"}}"#, as: 1, ["Content-Type": "application/json"])
        #expect(again.status == 200)
        #expect(again["ETag"] == "\"2\"")
        #expect(again.json["room"]?["sequence"] == sequence)
    }

    @Test("A condition that does not hold changes nothing and is answered with the submission as it is")
    func conditions() async throws {
        _ = await server.submit(pin, token(1), #"{"answers":{"spicy":"like"}}"#)
        _ = await server.submit(pin, token(1), #"{"answers":{"spicy":"dislike"}}"#)
        let current = await server.send(.get, path, token: token(1))
        for tag in [
            "\"1\"", "W/\"2\"", "2", "\"3\"", "\"\"", "\"x\"", "", "\"1\", \"3\"", "\"99999999999999999999\"", "\"+2\"", "\"02\"", "\" 2\"",
        ] {
            let requests = [
                await patch(#"{"answers":{"rich":"like"}}"#, as: 1, ["If-Match": tag]),
                await server.send(.put, path, token: token(1), json: "{}", fields: ["If-Match": tag]),
                await server.send(.delete, path, token: token(1), fields: ["If-Match": tag]),
            ]
            for answer in requests {
                #expect(answer.status == 412, "\(tag)")
                #expect(answer.code == "revision-mismatch")
                #expect(answer.json["submission"] == current.json)
                #expect(answer["ETag"] == "\"2\"")
            }
        }
        #expect(await server.send(.get, path, token: token(1)).body == current.body)
        let holding: [(String) -> String] = [{ $0 }, { _ in "*" }, { "\"1\", \($0)" }, { "\($0) , W/\"1\"" }]
        for (number, tag) in holding.enumerated() {
            let current = try #require(await server.send(.get, path, token: token(1))["ETag"])
            let json = #"{"answers":{"rich":"\#(number % 2 == 0 ? "like" : "dislike")"}}"#
            let answer = await patch(json, as: 1, ["If-Match": tag(current)])
            #expect(answer.status == 200)
            #expect(answer["ETag"] != current)
        }
        #expect(await server.send(.delete, path, token: token(1), fields: ["If-Match": "*"]).status == 204)
        #expect(await server.send(.delete, path, token: token(1), fields: ["If-Match": "*"]).status == 412)
    }

    @Test("A revision never comes back, so that a condition on answers that were withdrawn does not hold for others")
    func neverAgain() async throws {
        let first = await server.submit(pin, token(1), #"{"answers":{"spicy":"like"}}"#)
        let tag = try #require(first["ETag"])
        #expect(await server.send(.delete, path, token: token(1)).status == 204)
        #expect(await patch("{}", as: 1, ["If-Match": tag]).code == "submission-not-found")
        let none = await server.send(.put, path, token: token(1), json: "{}", fields: ["If-Match": tag])
        #expect(none.status == 412)
        #expect(none.json["submission"] == nil)
        #expect(none["ETag"] == nil)
        #expect(await server.submit(pin, token(1), #"{"answers":{"spicy":"dislike"}}"#).status == 201)
        #expect(await patch(#"{"answers":{"spicy":null}}"#, as: 1, ["If-Match": tag]).status == 412)
    }

    @Test("Two phones of one person edit the same submission: of ten edits of one revision, one is taken")
    func twoPhones() async throws {
        let tag = try #require(await server.submit(pin, token(1), "{}")["ETag"])
        let cards = ["hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich", "hangover", "greasy", "health"]
        let statuses = await withTaskGroup { group in
            for (number, card) in cards.enumerated() {
                group.addTask {
                    await patch(#"{"answers":{"\#(card)":"\#(number < 7 ? "like" : "dislike")"}}"#, as: 1, ["If-Match": tag]).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 412 } == 9)
        // Without a condition none is lost.
        _ = await server.submit(pin, token(1), "{}")
        await withTaskGroup { group in
            for card in Set(cards) { group.addTask { #expect(await patch(#"{"answers":{"\#(card)":"like"}}"#).status == 200) } }
        }
        let own = await server.send(.get, path, token: token(1))
        #expect(own.json["answers"]?.object?.count == Set(cards).count)
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["memberCount"]?.integer == 1)
    }

    @Test("Who has nothing to edit is told why, and faults are told as for a whole submission")
    func refusals() async throws {
        #expect(await patch("{}", as: 1).code == "submission-not-found")
        #expect(await patch("{}", as: 2).code == "not-member")
        #expect(await server.send(.patch, path, json: "{}").code == "token-required")
        #expect(await server.send(.patch, "/v1/rooms/000000/submission", token: token(1), json: "{}").code == "room-not-found")
        _ = await server.submit(pin, token(1), "{}")
        let unknown = await patch(#"{"answers":{"no-card":null,"also-none":"like"}}"#)
        #expect(unknown.code == "unknown-card")
        #expect(unknown.pointers == ["/answers/no-card", "/answers/also-none"])
        let shapes = await patch(#"{"answers":{"spicy":3,"staple":["none","rice"]},"vetoes":"meat"}"#)
        #expect(shapes.code == "invalid-body")
        #expect(Set(shapes.pointers) == ["/answers/spicy", "/answers/staple/0", "/vetoes"])
        #expect(await patch("[]").code == "invalid-body")
        #expect(await patch("{").code == "malformed-json")
        #expect(await patch("{}", as: 1, ["Content-Type": "application/json-patch+json"]).code == "unsupported-media-type")
        #expect(await server.send(.options, path)["Accept-Patch"] == "application/merge-patch+json")
        // What would be refused anyway is refused for that reason.
        #expect(await patch(#"{"vetoes":["x"]}"#, as: 1, ["If-Match": "\"9\""]).code == "unknown-veto")
        _ = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(await patch("{}", as: 1, ["If-Match": "\"9\""]).code == "already-revealed")
    }
}
