import API
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing

@Suite("The shipped app plays")
struct LegacyGameTests {
    let server: TestServer

    init() throws { server = try TestServer.legacy() }

    @Test("Four open, ask, submit, wait and read the same result, and all they get has exactly the members that the app decodes")
    func wholeGame() async throws {
        let opened = await server.send(.post, "/group?token=\(token(1))")
        #expect(opened.status == 201)
        #expect(opened["Content-Type"] == "application/json")
        let number = try #require(opened.json.integer)
        #expect(opened.text == "\(number)")
        let pin = "\(number)"
        #expect(pin.utf8.count == 6)
        #expect(await server.send(.get, "/group/\(pin)").text == "true")

        for player in 1...4 {
            let submitted = await server.legacySubmit(pin, token(player), #"{"spicy":true,"soup":true}"#, pinNumber: pin)
            #expect(submitted.status == 200)
            #expect(submitted.body.isEmpty)
            let wait = await server.legacyWait(pin, token(player))
            #expect(wait.text == #"{"submissionCount":\#(player),"isHost":\#(player == 1),"isGameClosed":false}"#)
        }
        let result = await server.legacyResult(pin)
        #expect(result.status == 200)
        #expect(result.names(result.json) == ["menus", "playerCount"])
        #expect(result.json["playerCount"]?.integer == 4)
        let menus = try #require(result.json["menus"]?.array)
        #expect(menus.count == 3)
        for menu in menus {
            #expect(result.names(menu) == ["name", "imageURL", "keywords"])
            #expect(menu["name"]?.string?.isEmpty == false)
            #expect(menu["imageURL"]?.string?.hasPrefix("https://hansang.example/images/") == true)
            #expect(menu["keywords"]?.array?.allSatisfy { $0.string != nil } == true)
        }
        #expect(menus[0]["keywords"]?.array?.contains(.string("매콤")) == true)
        for _ in 1...3 { #expect(await server.legacyResult(pin).body == result.body) }
        #expect(await server.legacyWait(pin, token(2)).text == #"{"submissionCount":4,"isHost":false,"isGameClosed":true}"#)
    }

    @Test("Without the switch there is nothing at any of these addresses")
    func off() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        let requests: [(HTTP.Method, String)] = [
            (.get, "/menu/random"), (.post, "/group?token=\(token(1))"), (.get, "/group/\(pin)"), (.post, "/group/\(pin)"),
            (.post, "/group/solo"), (.get, "/group/\(pin)/gameresultwait?token=\(token(1))"), (.get, "/group/\(pin)/gameresult"),
            (.put, "/group/\(pin)?token=\(token(1))"), (.options, "/group"),
        ]
        for (method, target) in requests {
            let answer = await server.send(method, target, body: method == .post ? Array("{}".utf8) : [])
            #expect(answer.status == 404, "\(target)")
            #expect(answer.code == "route-not-found")
        }
    }

    @Test("A PIN that is a number has no zero in front, however many are drawn")
    func numbers() async throws {
        let server = try TestServer.legacy(limits: ClientLimits(roomsPerHour: 1000))
        for host in 0..<300 {
            let answer = await server.send(.post, "/group?token=\(token(host / 10))")
            #expect((100_000...999_999).contains(try #require(answer.json.integer)))
        }
    }

    @Test("A menu at random, with a picture that can be fetched")
    func randomMenu() async throws {
        let answer = await server.send(.get, "/menu/random")
        #expect(answer.status == 200)
        #expect(answer.names(answer.json) == ["name", "imageURL"])
        let url = try #require(answer.json["imageURL"]?.string)
        let image = await server.send(.get, String(url.dropFirst("https://hansang.example".count)))
        #expect(image.status == 200)
        #expect(image["Content-Type"] == "image/svg+xml")
        #expect(image.text.contains(try #require(answer.json["name"]?.string)))
    }

    @Test("Alone: the result is in the answer, of one player, and no token is needed", arguments: ["null", "\"short\"", "7"])
    func solo(token: String) async throws {
        let answer = await server.send(
            .post, "/group/solo",
            json: #"{"gameAnswer":{"spicy":true},"dislikedFoods":["SEAFOOD","MEAT"],"pinNumber":null,"token":\#(token)}"#)
        #expect(answer.status == 200)
        #expect(answer.names(answer.json) == ["menus", "playerCount"])
        #expect(answer.json["playerCount"]?.integer == 1)
        let menus = try #require(answer.json["menus"]?.array)
        #expect(menus.count == 3)
        let catalogue = try Catalogues.shipped()
        var vetoes = SmallSet()
        for id in ["seafood", "meat"] { vetoes.insert(try #require(catalogue.veto(Identifier(id)))) }
        for menu in menus {
            let known = try #require(catalogue.menus.first { $0.name.ko == menu["name"]?.string })
            #expect(!known.isExcluded(by: vetoes))
        }
    }

    @Test("A restart takes the answers back, and again is fine; after the reveal it is too late")
    func restart() async throws {
        let pin = try await server.legacyOpen(token(1))
        for player in 1...2 { _ = await server.legacySubmit(pin, token(player)) }
        for _ in 1...2 {
            let withdrawn = await server.send(.put, "/group/\(pin)?token=\(token(2))")
            #expect(withdrawn.status == 200)
            #expect(withdrawn.body.isEmpty)
        }
        #expect(await server.legacyWait(pin, token(1)).json["submissionCount"]?.integer == 1)
        #expect(await server.legacyResult(pin).json["playerCount"]?.integer == 1)
        let late = await server.send(.put, "/group/\(pin)?token=\(token(1))")
        #expect(late.status == 409)
        #expect(late.code == "already-revealed")
    }

    @Test("What it is asked with is spoken: the app's own language, in every answer")
    func language() async throws {
        let pin = try await server.legacyOpen(token(1))
        _ = await server.legacySubmit(pin, token(1), #"{"spicy":true}"#)
        let korean = await server.legacyResult(pin)
        let english = await server.legacyResult(pin, fields: ["Accept-Language": "en-GB"])
        #expect(korean["Content-Language"] == "ko")
        #expect(english["Content-Language"] == "en")
        #expect(english.json["menus"]?.array?[0]["keywords"]?.array?.contains(.string("spicy")) == true)
    }

    @Test("Pictures are where the server is found: by its own word, else by what the request calls it")
    func pictures() async throws {
        let server = try TestServer(legacy: true)
        for (host, base) in [
            ("192.168.0.7:8080", "http://192.168.0.7:8080/images/"), ("[::1]:8080", "http://[::1]:8080/images/"), ("", "/images/"),
        ] {
            let answer = await server.send(.get, "/menu/random", fields: ["Host": host])
            #expect(answer.json["imageURL"]?.string?.hasPrefix(base) == true)
        }
        let own = try TestServer(legacy: true, publicURL: PublicURL("https://lunch.example:8443/app//"))
        let answer = await own.send(.get, "/menu/random", fields: ["Host": "evil.example"])
        #expect(answer.json["imageURL"]?.string?.hasPrefix("https://lunch.example:8443/app/images/") == true)
    }

    @Test(
        "What is no address of a server is not taken for one",
        arguments: [
            "", "hansang.example", "ftp://hansang.example", "http://", "https:///images", "http://:80", "https://user@hansang.example",
            "https://hansang.example?x", "https://hansang.example/#x", "https://hansang .example", "https://한상.example",
            "//hansang.example",
            "https://hansang.example\r\n",
        ])
    func badURLs(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test("A v1 member plays in a room of the app, and a member with the app in a v1 room")
    func mixed() async throws {
        let pin = try await server.legacyOpen(token(1))
        #expect(await server.legacySubmit(pin, token(1), #"{"soup":true}"#).status == 200)
        #expect(await server.submit(pin, token(2), #"{"answers":{"staple":["soup"]},"vetoes":["seafood"]}"#).status == 201)
        let room = await server.send(.get, "/v1/rooms/\(pin)", token: token(2))
        #expect(room.json["submissionCount"]?.integer == 2)
        #expect(
            room.json["revealWhen"]
                == .object([
                    .init("host", .bool(true)), .init("anyMember", .bool(false)), .init("deadline", .bool(false)),
                    .init("submissions", .null),
                ]))
        // The same person in both.
        let mine = await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(1))
        #expect(mine.json["answers"]?["staple"] == .array([.string("soup")]))
        let legacy = await server.legacyResult(pin)
        let v1 = await server.send(.get, "/v1/rooms/\(pin)/result", token: token(2))
        #expect(legacy.json["playerCount"] == v1.json["playerCount"])
        #expect(
            legacy.json["menus"]?.array?.map { $0["name"]?.string } == v1.json["menus"]?.array?.map { $0["name"]?.string })

        let other = try await server.open(token(3))
        #expect(await server.legacySubmit(other, token(1), #"{"noodle":true}"#, pinNumber: "\"\(other)\"").status == 200)
        #expect(await server.legacyWait(other, token(1)).text == #"{"submissionCount":1,"isHost":false,"isGameClosed":false}"#)
        #expect(await server.legacyWait(other, token(3)).json["isHost"]?.bool == true)
        let early = await server.legacyResult(other)
        #expect(early.status == 409)
        #expect(early.code == "not-revealed")
        #expect(await server.send(.get, "/v1/rooms/\(other)").json["phase"]?.string == "open")
        #expect(await server.send(.post, "/v1/rooms/\(other)/reveal", token: token(3)).status == 200)
        #expect(await server.legacyWait(other, token(1)).json["isGameClosed"]?.bool == true)
        #expect(await server.legacyResult(other).json["playerCount"]?.integer == 1)
    }
}
