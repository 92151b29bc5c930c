import API
import HTTP
import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@Suite("HTTP as clients expect it")
struct ProtocolTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    @Test(
        "Paths that there are not",
        arguments: [
            "//", "/v1", "/v2/rooms", "/v1/rooms/123456/", "/v1/rooms/123456/kitchen", "/v1/rooms/1/2/3/4/5", "/V1/rooms", "//v1/rooms",
        ])
    func unknownRoutes(path: String) async {
        let answer = await server.send(.get, path)
        #expect(answer.status == 404)
        #expect(answer.code == "route-not-found")
    }

    @Test(
        "A method that a path does not know is told which it knows",
        arguments: [
            ("/v1/rooms", "POST, OPTIONS"), ("/v1/rooms/123456", "GET, DELETE, HEAD, OPTIONS"),
            ("/v1/rooms/123456/submission", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"),
            ("/v1/rooms/123456/events", "GET, HEAD, OPTIONS"),
            ("/v1/rooms/123456/reveal", "POST, OPTIONS"), ("/v1/game", "GET, HEAD, OPTIONS"), ("/healthz", "GET, HEAD, OPTIONS"),
        ])
    func methods(path: String, allow: String) async {
        let refused = await server.send(Method("BREW"), path)
        #expect(refused.status == 405)
        #expect(refused.code == "method-not-allowed")
        #expect(refused["Allow"] == allow)
        let options = await server.send(.options, path)
        #expect(options.status == 204)
        #expect(options["Allow"] == allow)
    }

    @Test(
        "PINs that are none name no room, in any method",
        arguments: [
            "12345", "1234567890", "12345a", "１２３４５６", "-12345", "%30%30%30%30%30%30%30%30%30%30", "123 456", "000000",
        ])
    func pins(pin: String) async {
        let encoded = pin.utf8.map { $0 < 0x80 && $0 > 0x20 ? String(Unicode.Scalar($0)) : "%" + String($0, radix: 16, uppercase: true) }
            .joined()
        let unknown = await server.send(.get, "/v1/rooms/999999")
        for method in [HTTP.Method.get, .put] {
            let path = method == .get ? "/v1/rooms/\(encoded)" : "/v1/rooms/\(encoded)/members/me"
            let answer = await server.send(method, path, token: token(1))
            #expect(answer.status == 404)
            #expect(answer.body == unknown.body)
        }
    }

    @Test(
        "Languages: Korean unless English is preferred, and the answer says which",
        arguments: [
            (nil, "ko"), ("en", "en"), ("en-US,en;q=0.9", "en"), ("ko-KR,ko;q=0.9,en;q=0.8", "ko"), ("fr, en;q=0.5, ko;q=0.1", "en"),
            ("fr", "ko"),
            ("*", "ko"), ("ko;q=0, en;q=0.001", "en"), ("en;q=2, ko;q=x", "ko"), (",,;;q=,", "ko"), ("EN", "en"),
            ("en-US;q=0.2, en;q=0.9, ko;q=0.5", "en"), ("en, ko", "en"), ("ko, en", "ko"), ("en;q=0.5, ko;q=0.5", "en"),
        ] as [(String?, String)])
    func languages(field: String?, language: String) async {
        for path in ["/v1/game", "/v1/menus", "/v1/rooms/999999", "/v1/menus/random"] {
            let answer = await server.send(.get, path, fields: field.map { ["Accept-Language": $0] } ?? [:])
            #expect(answer["Content-Language"] == language)
            #expect(answer["Vary"] == "Accept-Language")
        }
    }

    @Test(
        "An answer in a media type that is not wanted is not sent",
        arguments: [
            ("application/json", true), ("*/*", true), ("application/*;q=0.1", true), ("text/html", false),
            ("application/json;q=0, */*", false),
            ("text/html, */*;q=0.8", true), ("image/svg+xml", false),
        ])
    func accept(field: String, isAccepted: Bool) async {
        let answer = await server.send(.get, "/v1/game", fields: ["Accept": field])
        #expect(answer.status == (isAccepted ? 200 : 406))
        if !isAccepted { #expect(answer.code == "not-acceptable") }
    }

    @Test("A body in a coding that nobody reads is not taken for JSON")
    func contentEncoding() async {
        let answer = await server.send(.post, "/v1/rooms", token: token(1), json: "{}", fields: ["Content-Encoding": "gzip"])
        #expect(answer.code == "unsupported-media-type")
    }

    @Test("Of two Authorization fields nobody could say which is meant")
    func twoTokens() async {
        let lines = [("Authorization", "Bearer \(token(1))"), ("Authorization", "Bearer \(token(2))")]
        #expect(await server.send(.post, "/v1/rooms", lines: lines).code == "token-required")
    }

    @Test("Who cannot be told just now is not taken for a stranger")
    func unknowableCaller() async throws {
        let server = try TestServer(hash: { _ in nil })
        #expect(await server.send(.post, "/v1/rooms", token: token(1)).code == "store-unavailable")
        #expect(await server.send(.get, "/v1/game").status == 200)
    }

    @Test("The lines of a list are one list")
    func repeatedFields() async {
        let accepted = await server.send(.get, "/v1/game", lines: [("Accept", "text/html"), ("Accept", "application/json")])
        #expect(accepted.status == 200)
        let language = await server.send(.get, "/v1/game", lines: [("Accept-Language", "fr"), ("Accept-Language", "en")])
        #expect(language["Content-Language"] == "en")
    }

    @Test(
        "A PIN that is no text, or nothing, names no room either",
        arguments: ["/v1/rooms/", "/v1/rooms/%zz", "/v1/rooms/%ff", "/v1/rooms/%2F"])
    func brokenPINs(path: String) async {
        let unknown = await server.send(.get, "/v1/rooms/999999")
        #expect(await server.send(.get, path).body == unknown.body)
    }

    @Test(
        "A body has to be JSON by name",
        arguments: [
            ("application/json", 201), ("Application/JSON; charset=utf-8", 201), ("text/plain", 415),
            ("application/x-www-form-urlencoded", 415),
            ("application/jsonp", 415), ("application/json x", 415), ("foo bar", 415), (";", 415), ("", 415),
            ("application/merge-patch+json", 415),
        ])
    func mediaTypes(type: String, status: Int) async {
        let answer = await server.send(.post, "/v1/rooms", token: token(1), json: "{}", fields: ["Content-Type": type])
        #expect(answer.status == status)
    }

    @Test("A list on several lines is one list")
    func lines() async throws {
        // The lines come in either order, and blank elements are none.
        let languages = ["Accept-Language": "ko;q=0.1", "accept-language": String(repeating: " ,", count: 100) + "en"]
        #expect(await server.send(.get, "/v1/game", fields: languages)["Content-Language"] == "en")
        #expect(await server.send(.get, "/v1/game", fields: ["Accept": "text/html", "accept": "application/json"]).status == 200)
        let tag = try #require(await server.send(.get, "/v1/game")["ETag"])
        #expect(await server.send(.get, "/v1/game", fields: ["If-None-Match": "\"other\"", "if-none-match": tag]).status == 304)
    }

    @Test("Who has the catalogue already is told so", arguments: ["/v1/game", "/v1/menus", "/v1/menus/bibimbap", "/images/bibimbap.svg"])
    func entityTags(path: String) async throws {
        let first = await server.send(.get, path)
        #expect(first.status == 200)
        let tag = try #require(first["ETag"])
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let second = await server.send(.get, path, fields: ["If-None-Match": known])
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
            #expect(second["ETag"] == tag)
        }
        for other in ["\"other\"", "", "\(tag.dropLast(2))\"", "\"a,*,b\""] {
            #expect(await server.send(.get, path, fields: ["If-None-Match": other]).status == 200)
        }
        #expect(await server.send(.get, path, fields: ["If-None-Match": tag, "Accept-Language": "en"]).status == 200)
    }

    @Test("A snapshot that has not changed is not sent again, and one that has is")
    func snapshotTags() async throws {
        let pin = try await server.open(token(1))
        let first = await server.send(.get, "/v1/rooms/\(pin)")
        let tag = try #require(first["ETag"])
        server.clock.advance(by: 5000)
        #expect(await server.send(.get, "/v1/rooms/\(pin)", fields: ["If-None-Match": tag]).status == 304)
        #expect(await server.send(.get, "/v1/rooms/\(pin)", token: token(1), fields: ["If-None-Match": tag]).status == 200)
        _ = await server.submit(pin, token(2), "{}")
        #expect(await server.send(.get, "/v1/rooms/\(pin)", fields: ["If-None-Match": tag]).status == 200)
    }

    @Test("Every problem is a problem document with a stable code, in both languages")
    func problems() async throws {
        for (language, title) in [("ko", "찾을 수 없습니다"), ("en", "Not Found")] {
            let answer = await server.send(.get, "/v1/rooms/999999", fields: ["Accept-Language": language])
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer.json["type"]?.string == "about:blank")
            #expect(answer.json["title"]?.string == title)
            #expect(answer.json["status"]?.integer == 404)
            #expect(answer.json["code"]?.string == "room-not-found")
            #expect(answer.json["detail"]?.string?.isEmpty == false)
        }
    }

    @Test("HEAD and GET change nothing that is stored, wherever they are sent", arguments: [HTTP.Method.get, .head])
    func safety(method: HTTP.Method) async throws {
        let server = try TestServer(legacy: true)
        let opened = await server.send(.post, "/v1/rooms", token: token(1))
        let pin = try #require(opened.json["pin"]?.string.flatMap { PIN($0) })
        _ = await server.submit(pin.text, token(2), "{}")
        _ = await server.send(.post, "/v1/rooms", token: token(1))
        let before = try server.store.load(pin, at: server.clock.now)
        let rooms = [
            "", "/events", "/members/me", "/members/m_2", "/host", "/submission", "/reveal", "/result", "/decision", "/rounds", "/game",
        ]
        .map { "/v1/rooms/\(pin)\($0)" }
        let others = [
            "/v1/rooms", "/v1/solo", "/v1/game", "/v1/menus", "/v1/menus/random", "/healthz", "/readyz", "/openapi.yaml", "/docs",
            "/group?token=\(token(1))", "/group/\(pin)", "/group/\(pin)?token=\(token(2))", "/group/solo", "/menu/random",
            "/group/\(pin)/gameresultwait?token=\(token(1))", "/group/\(pin)/gameresult", "/v1/rooms/\(pin)?after=0&wait=1",
        ]
        for path in rooms + others {
            for caller in [token(1), token(2), token(3), nil] { _ = await server.send(method, path, token: caller) }
        }
        #expect(before != nil)
        #expect(try server.store.load(pin, at: server.clock.now) == before)
        #expect(try server.store.liveCount(digits: 6) == 2)
    }

    @Test("Alive and ready")
    func health() async {
        #expect(await server.send(.get, "/healthz").status == 200)
        #expect(await server.send(.get, "/readyz").status == 200)
    }
}
