import API
import Foundation
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("What the shipped app answers")
struct LegacyBodyTests {
    let server: TestServer

    init() throws { server = try TestServer.legacy() }

    static let everything =
        #"{"hangover":true,"greasy":false,"health":null,"alcohol":true,"instant":false,"spicy":true,"rich":false,"rice":true,"noodle":false,"soup":true,"nation":["KOREAN","WESTERN","JAPANESE","CHINESE","CONVENIENT","EXOTIC","ETC"]}"#

    @Test(
        "means this in our words",
        arguments: [
            (
                everything, #"["SPICY","INTESTINE","SASHIMI","SEAFOOD","MEAT"]"#,
                #"{"answers":{"hangover":"like","greasy":"dislike","alcohol":"like","instant":"dislike","spicy":"like","rich":"dislike","staple":["rice","soup","!noodle"],"cuisine":["korean","western","japanese","chinese","snack","exotic","other"]},"vetoes":["spicy","intestine","sashimi","seafood","meat"]}"#
            ),
            ("{}", "[]", #"{"answers":{},"vetoes":[]}"#),
            (#"{"rice":null,"noodle":null,"soup":null,"nation":null}"#, "null", #"{"answers":{},"vetoes":[]}"#),
            (#"{"rice":false,"noodle":false,"soup":false}"#, "[]", #"{"answers":{"staple":["none"]},"vetoes":[]}"#),
            (#"{"rice":false,"noodle":false,"soup":null}"#, "[]", #"{"answers":{"staple":["!rice","!noodle"]},"vetoes":[]}"#),
            (#"{"noodle":false}"#, "[]", #"{"answers":{"staple":["!noodle"]},"vetoes":[]}"#),
            (#"{"rice":null,"noodle":true,"soup":false}"#, "[]", #"{"answers":{"staple":["noodle","!soup"]},"vetoes":[]}"#),
            (#"{"nation":[],"mood":"good"}"#, #"["MEAT","MEAT"]"#, #"{"answers":{},"vetoes":["meat"]}"#),
        ])
    func mapping(answers: String, dislikes: String, expected: String) async throws {
        let pin = try await server.legacyOpen(token(1))
        #expect(await server.legacySubmit(pin, token(1), answers, dislikes: dislikes).status == 200)
        let mine = await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(1))
        let json = try JSONValue(parsing: Array(expected.utf8))
        #expect(mine.json["answers"] == json["answers"])
        #expect(mine.json["vetoes"] == json["vetoes"])
    }

    @Test(
        "is refused where it says something that we do not know, all of it at once and by its own names",
        arguments: [
            (#"{"nation":["KOREAN","MARTIAN"]}"#, "[]", "unknown-option", ["/gameAnswer/nation/1"]),
            // Our names are not the app's, and a Kelvin sign is no K.
            (#"{"nation":["korean","\u212aOREAN"," KOREAN"]}"#, "[]", "unknown-option", (0...2).map { "/gameAnswer/nation/\($0)" }),
            ("{}", #"["MEAT","GLUTEN",""]"#, "unknown-veto", ["/dislikedFoods/1", "/dislikedFoods/2"]),
            (#"{"nation":["MARS"]}"#, #"["GLUTEN"]"#, "invalid-body", ["/gameAnswer/nation/0", "/dislikedFoods/0"]),
            (
                #"{"spicy":"yes","rice":1,"nation":[7,"MARS"],"rich":true}"#, #"{"MEAT":true}"#, "invalid-body",
                ["/gameAnswer/spicy", "/gameAnswer/rice", "/gameAnswer/nation/0", "/dislikedFoods", "/gameAnswer/nation/1"]
            ),
            (#"{"nation":"KOREAN"}"#, "[]", "invalid-body", ["/gameAnswer/nation"]),
            ("null", "[]", "invalid-body", ["/gameAnswer"]),
            ("[]", "[]", "invalid-body", ["/gameAnswer"]),
        ])
    func refusals(answers: String, dislikes: String, code: String, pointers: [String]) async throws {
        let pin = try await server.legacyOpen(token(1))
        let solo = await server.send(.post, "/group/solo", json: #"{"gameAnswer":\#(answers),"dislikedFoods":\#(dislikes)}"#)
        for answer in [await server.legacySubmit(pin, token(1), answers, dislikes: dislikes), solo] {
            #expect(answer.status == 422)
            #expect(answer.code == code)
            #expect(answer.pointers == pointers)
        }
        #expect(await server.legacyWait(pin, token(1)).json["submissionCount"]?.integer == 0)
    }

    @Test("A list without end is told of once, not element by element")
    func longList() async {
        let list = "[" + Array(repeating: "\"X\"", count: 10_000).joined(separator: ",") + "]"
        let answer = await server.send(.post, "/group/solo", json: #"{"gameAnswer":{},"dislikedFoods":\#(list)}"#)
        #expect(answer.status == 422)
        #expect(answer.pointers.first == "/dislikedFoods")
        #expect(answer.pointers.count <= 100)
    }

    @Test("The PIN in the body may say again which room is meant")
    func samePIN() async throws {
        let pin = try await server.legacyOpen(token(1))
        for pinNumber in [pin, "\"\(pin)\"", "null"] {
            #expect(await server.legacySubmit(pin, token(1), pinNumber: pinNumber).status == 200)
        }
        let missing = await server.send(.post, "/group/\(pin)", json: #"{"gameAnswer":{},"token":"\#(token(1))"}"#)
        #expect(missing.status == 200)
    }

    @Test("The PIN in the body never sends answers to another room than that of the path")
    func otherPIN() async throws {
        let pin = try await server.legacyOpen(token(1))
        let other = try await server.legacyOpen(token(2))
        for pinNumber in [other, "\"\(other)\"", "\"\(pin) \"", "\"\"", "\(pin).0", "true", "[\(pin)]", "-\(pin)"] {
            let answer = await server.legacySubmit(pin, token(3), pinNumber: pinNumber)
            #expect(answer.status == 422)
            #expect(answer.pointers == ["/pinNumber"])
        }
        for pin in [pin, other] { #expect(await server.legacyWait(pin, token(3)).json["submissionCount"]?.integer == 0) }
        let solo = await server.send(.post, "/group/solo", json: #"{"gameAnswer":{},"dislikedFoods":[],"pinNumber":\#(pin)}"#)
        #expect(solo.pointers == ["/pinNumber"])
    }

    @Test("A v1 room's PIN with zeros in front is the number that is left of it")
    func zeros() async throws {
        let server = try TestServer(legacy: true, pinSpace: PINSpace(first: 1), pinSpaceGrows: false)
        let pin = try await server.open(token(1))
        #expect(pin == "000000")
        #expect(await server.legacySubmit(pin, token(2), pinNumber: "0").status == 200)
        #expect(await server.legacySubmit(pin, token(2), pinNumber: "\"0\"").pointers == ["/pinNumber"])
        // There is no number among the PINs of this space.
        #expect(await server.send(.post, "/group?token=\(token(1))").code == "no-free-pin")
    }

    @Test("With a catalogue that has no such card, only nothing can be answered to it")
    func otherCatalogue() async throws {
        var json = try #require(JSONSerialization.jsonObject(with: Data(Catalogues.shippedBytes())) as? [String: Any])
        func keep(_ name: String, _ isKept: ([String: Any]) -> Bool) { json[name] = (json[name] as? [[String: Any]])?.filter(isKept) }
        let gone = ["alcohol", "rice", "noodle", "soup"]
        keep("traits") { !gone.contains($0["id"] as? String ?? "") }
        keep("cards") { !["alcohol", "staple"].contains($0["id"] as? String) }
        json["menus"] = (json["menus"] as? [[String: Any]])?
            .map { menu in menu.merging(["traits": (menu["traits"] as? [String: Any] ?? [:]).filter { !gone.contains($0.key) }]) { $1 } }
        let server = try TestServer(catalogue: Array(JSONSerialization.data(withJSONObject: json)), legacy: true)
        let pin = try await server.legacyOpen(token(1))
        #expect(await server.legacySubmit(pin, token(1), #"{"alcohol":null,"rice":null,"spicy":true,"nation":["KOREAN"]}"#).status == 200)
        let refused = await server.legacySubmit(pin, token(1), #"{"alcohol":false,"noodle":true,"spicy":true}"#)
        #expect(refused.code == "unknown-card")
        #expect(refused.pointers == ["/gameAnswer/alcohol", "/gameAnswer/noodle"])
        let none = await server.legacySubmit(pin, token(1), #"{"rice":false,"noodle":false,"soup":false}"#)
        #expect(none.pointers == ["/gameAnswer/rice"])
    }
}
