import Foundation
import GameJSON
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Menus, solo games and vetoes")
struct MenuTests {
    @Test("A solo diner gets the result in the answer, and nothing is stored")
    func solo() async throws {
        let server = try TestServer()
        let answer = await server.send(.post, "/v1/solo", json: #"{"answers":{"staple":["noodle"]},"vetoes":["meat"]}"#)
        #expect(answer.status == 200)
        #expect(answer.json["playerCount"]?.integer == 1)
        #expect(answer.json["menus"]?.array?.count == 3)
        #expect(answer.json["excluded"]?["vetoes"] == .array([.string("meat")]))
        #expect(answer.json["seed"]?.string?.isEmpty == false)
        for absent in ["pin", "round", "sequence"] { #expect(answer.json[absent] == nil) }
        let catalogue = try Catalogues.shipped()
        for menu in answer.json["menus"]?.array ?? [] {
            let id = try #require(menu["id"]?.string)
            let chosen = try #require(catalogue.menu(Identifier(id)))
            #expect(!chosen.isExcluded(by: SmallSet(bits: 1 << UInt64(catalogue.veto(Identifier("meat")) ?? 0))))
            #expect(menu["likedBy"]?.integer == 1)
        }
    }

    @Test("The seed that a solo answer states gives the same result again")
    func seeds() async throws {
        let server = try TestServer()
        let body = #"{"answers":{},"vetoes":[]}"#
        let answer = await server.send(.post, "/v1/solo", json: body)
        let seed = try #require(answer.json["seed"]?.string)
        let catalogue = try Catalogues.shipped()
        let again = Recommendation(of: [Ballot(try AnswerSheet(AnswerDraft(), in: catalogue))], in: catalogue, seed: seed)
        #expect(answer.json["menus"]?.array?.compactMap { $0["id"]?.string } == again.menus.map { catalogue.menus[$0.menu].id.text })
    }

    @Test("With everything vetoed by everyone the shipped catalogue still gives three menus")
    func everythingVetoed() async throws {
        let server = try TestServer()
        let vetoes = #"{"vetoes":["spicy","intestine","sashimi","seafood","meat"]}"#
        let pin = try await server.open(token(1))
        for number in 1...4 { _ = await server.submit(pin, token(number), vetoes) }
        let group = await server.send(.post, "/v1/rooms/\(pin)/reveal", token: token(1))
        let solo = await server.send(.post, "/v1/solo", json: vetoes)
        for answer in [group, solo] {
            #expect(answer.json["menus"]?.array?.count == 3)
            #expect(answer.json["reason"] == .null)
        }
    }

    @Test("Where the vetoes leave fewer than three, there are fewer, and the reason says so")
    func fewerLeft() async throws {
        let catalogue = try Catalogues.shipped()
        // A playable catalogue always leaves three, so only the rule itself can be brought to this.
        let small = try Catalogue(
            json: JSONValue(
                parsing: Array(
                    #"{"traits":["soup"],"vetoes":["meat"],"cuisines":[],"cards":[{"id":"soup","kind":"trait","trait":"soup"},{"id":"cuisine","kind":"cuisines"}],"menus":[{"id":"a","traits":{},"cuisines":[],"contains":["meat"]},{"id":"b","traits":{},"cuisines":[],"contains":[]},{"id":"c","traits":{},"cuisines":[],"contains":["meat"]}]}"#
                        .utf8)),
            fingerprint: "", for: .rule)
        let sheet = try AnswerSheet(AnswerDraft(vetoes: ["meat"]), in: small)
        let outcome = Outcome(Recommendation(of: [Ballot(sheet)], in: small, seed: "s"), in: small, seed: "s", ofGroup: false)
        #expect(outcome.menus.map(\.id.text) == ["b"])
        #expect(outcome.vetoesLeftFewer)
        #expect(outcome.excludedMenus == 2)
        #expect(catalogue.menus.count >= 220)
    }

    @Test("A random menu is any that no given veto excludes")
    func random() async throws {
        let server = try TestServer()
        let catalogue = try Catalogues.shipped()
        var seen: Set<String> = []
        for _ in 1...300 {
            let answer = await server.send(.get, "/v1/menus/random?veto=meat&veto=sea%66ood")
            #expect(answer.status == 200)
            let contains = try #require(answer.json["contains"]?.array).compactMap(\.string)
            #expect(!contains.contains("meat") && !contains.contains("seafood"))
            seen.insert(try #require(answer.json["id"]?.string))
        }
        let left = catalogue.menus.count { menu in
            menu.contains.map { set in ["meat", "seafood"].allSatisfy { !set.contains(catalogue.veto(Identifier($0)) ?? 0) } } ?? false
        }
        #expect(seen.count > left / 2)
        let unknown = await server.send(.get, "/v1/menus/random?veto=meat&veto=gluten")
        #expect(unknown.code == "unknown-veto")
        #expect(unknown.pointers == ["/vetoes/1"])
        #expect(await server.send(.get, "/v1/menus/random?veto=%z").code == "malformed-request")
    }

    @Test("Every menu can be read by itself, has a picture, and the list has them all")
    func menus() async throws {
        let server = try TestServer()
        let list = try #require(await server.send(.get, "/v1/menus").json["menus"]?.array)
        #expect(list.count == (try Catalogues.shipped().menus.count))
        for menu in list.prefix(20) {
            let id = try #require(menu["id"]?.string)
            #expect(await server.send(.get, "/v1/menus/\(id)").json == menu)
            let imageURL = try #require(menu["imageURL"]?.string)
            let image = await server.send(.get, imageURL)
            #expect(image["Content-Type"] == "image/svg+xml")
            let emoji = try #require(menu["emoji"]?.string)
            #expect(image.text.contains(emoji))
        }
        #expect(await server.send(.get, "/v1/menus/nothing").code == "menu-not-found")
        #expect(await server.send(.get, "/images/nothing.svg").code == "menu-not-found")
        #expect(await server.send(.get, "/images/..%2f..%2fetc%2fpasswd").code == "menu-not-found")
    }

    @Test("The game has every card with its options, and says that it is no allergen list", arguments: ["ko", "en"])
    func game(language: String) async throws {
        let server = try TestServer()
        let game = await server.send(.get, "/v1/game", fields: ["Accept-Language": language]).json
        let cards = try #require(game["cards"]?.array)
        #expect(
            cards.compactMap { $0["id"]?.string } == [
                "hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich", "staple", "cuisine",
            ])
        #expect(cards.allSatisfy { $0["prompt"]?.string?.isEmpty == false })
        let staple = try #require(cards.first { $0["id"]?.string == "staple" })
        #expect(staple["options"]?.array?.compactMap { $0["id"]?.string } == ["rice", "noodle", "soup"])
        #expect(staple["none"]?["id"]?.string == "none")
        #expect(game["vetoes"]?.array?.count == 5)
        #expect(game["notice"]?.string?.contains(language == "en" ? "allergen" : "알레르기") == true)
    }
}
