import GameJSON
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Those who come late, do not answer, or like nothing", .serialized, .timeLimit(.minutes(2)))
struct LateAndAbsentTests {
    @Test("Whoever comes before the reveal may play; whoever comes after may be there and read the result, and no more")
    func late() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await client.submit(pin, token(1)).status == 201)
        #expect(try await client.submit(pin, token(2), #"{"vetoes":["meat"]}"#).status == 201)
        let revealed = try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(revealed.json["playerCount"]?.integer == 2)

        let joined = try await client.join(pin, token(3), json: #"{"nickname":"지각"}"#)
        #expect(joined.status == 201)
        #expect(joined.json["phase"]?.string == "revealed")
        #expect(try await client.send("GET", "/v1/rooms/\(pin)/result", token: token(3)).body == revealed.body)
        for late in [token(3), token(4)] {
            let refused = try await client.submit(pin, late, #"{"vetoes":["seafood"]}"#)
            #expect(refused.status == 409)
            #expect(refused.code == "already-revealed")
        }
        #expect(try await client.send("GET", "/v1/rooms/\(pin)").json["memberCount"]?.integer == 3)
    }

    @Test("A host who never answers is not waited for and not counted, whatever reveals the room")
    func silentHost() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let client = try server.client()
        for wish in ["{}", #"{"revealWhen":{"submissions":2}}"#, #"{"revealWhen":{"host":false,"anyMember":true}}"#] {
            let pin = try await client.open(token(1), json: wish)
            for number in 2...3 { #expect(try await client.submit(pin, token(number), #"{"answers":{"spicy":"like"}}"#).status == 201) }
            let caller = wish.contains("anyMember") ? token(2) : token(1)
            if !wish.contains("submissions") {
                #expect(try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: caller).status == 200)
            }
            let result = try await client.send("GET", "/v1/rooms/\(pin)/result")
            #expect(result.status == 200)
            #expect(result.json["playerCount"]?.integer == 2)
            let host = try await client.send("GET", "/v1/rooms/\(pin)", token: token(1))
            #expect(host.json["isHost"]?.bool == true)
            #expect(host.json["hasSubmitted"]?.bool == false)
        }
    }

    @Test("Where everybody dislikes everything there are three menus all the same, and anybody can derive them again")
    func nothingPleases() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let client = try server.client()
        let catalogue = try Catalogues.shipped()
        let answers = catalogue.cards.compactMap { card -> String? in
            switch card.kind {
            case .trait: #""\#(card.id.text)":"dislike""#
            case .traits: #""\#(card.id.text)":["none"]"#
            case .cuisines: nil
            }
        }
        let sheet = #"{"answers":{\#(answers.joined(separator: ","))},"vetoes":[]}"#
        let pin = try await client.open(token(1))
        for number in 1...4 { #expect(try await client.submit(pin, token(number), sheet).status == 201) }
        let result = try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).json
        let menus = try #require(result["menus"]?.array).map { $0["id"]?.string }
        #expect(Set(menus).count == 3)
        #expect(result["reason"] == .null)

        var faults: [ShapeFault] = []
        let draft = AnswerDraft(json: try JSONValue(parsing: Array(sheet.utf8)), faults: &faults)
        let ballots = try (1...4).map { _ in Ballot(try AnswerSheet(draft, in: catalogue)) }
        let again = Recommendation(of: ballots, in: catalogue, seed: try #require(result["seed"]?.string))
        #expect(again.menus.map { catalogue.menus[$0.menu].id.text } == menus)
    }

    @Test("A hundred reads of a result over ten connections, before and after a restart, are the same bytes")
    func hundredReads() async throws {
        let folder = try TemporaryFolder()
        let first = try LiveServer(in: folder)
        let client = try first.client()
        let pin = try await client.open(token(1))
        for number in 1...5 { _ = try await client.submit(pin, token(number), #"{"answers":{"rich":"like"},"vetoes":["meat"]}"#) }
        let revealed = try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).body
        func reads(of server: LiveServer) async throws -> [[UInt8]] {
            try await atOnce(0..<10) { _ in
                let client = try server.client()
                return try (0..<10).map { _ in try client.ask("GET", "/v1/rooms/\(pin)/result").body }
            }.flatMap { $0 }
        }
        #expect(Set(try await reads(of: first)) == [revealed])
        await first.stop()
        let second = try LiveServer(in: folder)
        let after = try await reads(of: second)
        #expect(after.count == 100)
        #expect(Set(after) == [revealed])
    }

    @Test("A host whose app was killed and installed again with its token still has every power of one")
    func reinstalledHost() async throws {
        let server = try LiveServer(in: TemporaryFolder())
        let pin = try await server.client().open(token(1), json: #"{"nickname":"방장"}"#)
        #expect(try await server.client().submit(pin, token(2)).status == 201)
        // Nothing of the first connection is left.
        let app = try server.client()
        #expect(try await app.send("GET", "/v1/rooms/\(pin)", token: token(1)).json["isHost"]?.bool == true)
        #expect(try await app.join(pin, token(1)).status == 200)
        let revealed = try await app.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(revealed.status == 200)
        let menu = try #require(revealed.json["menus"]?.array?.first?["id"]?.string)
        let decision = #"{"menuId":"\#(menu)"}"#
        #expect(try await app.send("POST", "/v1/rooms/\(pin)/decision", token: token(1), json: decision).status == 200)
        #expect(try await app.send("POST", "/v1/rooms/\(pin)/rounds", token: token(1)).status == 201)
        #expect(try await app.send("GET", "/v1/rooms/\(pin)").json["memberCount"]?.integer == 2)
    }
}
