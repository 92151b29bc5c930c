import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Nothing can be read before the reveal")
struct SecrecyTests {
    @Test("No endpoint shows anybody another's answers, vetoes or a menu of the result")
    func beforeTheReveal() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1), json: #"{"nickname":"Host"}"#)
        let sheets = [
            #"{"answers":{"hangover":"like"},"vetoes":["sashimi"]}"#, #"{"answers":{"cuisine":["exotic"]},"vetoes":["intestine"]}"#,
            #"{"answers":{"staple":["noodle"]},"vetoes":["spicy"]}"#,
        ]
        for (number, sheet) in sheets.enumerated() { #expect(await server.submit(pin, token(number + 1), sheet).status == 201) }
        // What each of the three said, and every dish that could come out.
        let said = [["hangover", "sashimi"], ["exotic", "intestine"], ["noodle", "spicy"]]
        let dishes = try Catalogues.shipped().menus.flatMap { ["\"\($0.id)\"", "\"\($0.name.ko)\"", "\"\($0.name.en)\""] }

        let room = "/v1/rooms/\(pin)"
        let requests: [(HTTP.Method, String)] = [
            (.get, room), (.head, room), (.options, room), (.get, "\(room)/submission"), (.get, "\(room)/result"),
            (.get, "\(room)/result?round=1"),
            (.put, "\(room)/members/me"), (.get, "\(room)/members/me"), (.get, "\(room)/reveal"), (.patch, "\(room)/submission"),
            (.get, "\(room)/submission/2"), (.get, "\(room)/members"), (.get, "\(room)/members/m_2"), (.get, "\(room)/events"),
        ]
        for (caller, own) in [(token(1), 0), (token(2), 1), (token(3), 2), (token(9), nil), (nil, nil)] as [(String?, Int?)] {
            for (method, path) in requests {
                let answer = await server.send(method, path, token: caller, body: method == .put ? Array("{}".utf8) : [])
                for (giver, words) in said.enumerated() where giver != own {
                    for word in words { #expect(!answer.text.contains("\"\(word)\""), "\(method.name) \(path) shows \(word)") }
                }
                #expect(!dishes.contains { answer.text.contains($0) }, "\(method.name) \(path) shows a dish")
                #expect(!answer.fields.contains { $0.value.contains("device-token") })
            }
        }
        #expect(await server.send(.post, "\(room)/reveal", token: token(2)).code == "not-host")
    }

    @Test("A result of two does not name the vetoes, since one's own would tell the other's", arguments: 1...3)
    func vetoesOfTwo(players: Int) async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        _ = await server.submit(pin, token(1), #"{"vetoes":["meat"]}"#)
        for number in 2..<(players + 1) { _ = await server.submit(pin, token(number), #"{"vetoes":["seafood"]}"#) }
        let result = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        #expect(result.json["playerCount"]?.integer == Int64(players))
        #expect((result.json["excluded"]?["vetoes"] != nil) == (players > 2))
    }

    @Test("No answer carries a token or its hash")
    func tokens() async throws {
        let server = try TestServer()
        let secret = token(77)
        let pin = try await server.open(secret)
        for answer in [await server.submit(pin, secret, "{}"), await server.send(.get, "/v1/rooms/\(pin)", token: secret)] {
            #expect(!answer.text.contains(secret))
            #expect(!answer.text.contains(String(secret.reversed())))
        }
    }
}
