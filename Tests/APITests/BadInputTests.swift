import Foundation
import HTTP
import JSON
import Testing

@testable import API

@Suite("Bad input is answered with a clear error, and nothing else notices")
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let body: [UInt8]
        let status: Int
        let code: String
        var pointers: [String] = []

        init(_ body: String, _ status: Int, _ code: String, _ pointers: [String] = []) {
            self.init(Array(body.utf8), status, code, pointers)
        }

        init(_ body: [UInt8], _ status: Int, _ code: String, _ pointers: [String] = []) {
            self.body = body
            self.status = status
            self.code = code
            self.pointers = pointers
        }

        var testDescription: String { "\(code): \(String(decoding: body.prefix(60), as: UTF8.self))" }
    }

    static let submissions: [Case] = [
        Case(#"{"answers":{"rich":"like""#, 400, "malformed-json"),
        Case("", 400, "malformed-json"),
        Case("null", 422, "invalid-body", [""]),
        Case("[]", 422, "invalid-body", [""]),
        Case("42", 422, "invalid-body", [""]),
        Case(#"{"answers":{"rich":"like"},"answers":{}}"#, 400, "malformed-json"),
        Case(#"{"vetoes":["meat"],}"#, 400, "malformed-json"),
        Case(#"{"vetoes":["\ud800"]}"#, 400, "malformed-json"),
        Case([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], 400, "malformed-json"),
        Case([0xEF, 0xBB, 0xBF] + Array("{}".utf8), 400, "malformed-json"),
        Case(String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000), 400, "malformed-json"),
        Case(#"{"x":"# + String(repeating: "[", count: 32) + String(repeating: "]", count: 32) + "}", 400, "malformed-json"),
        Case(#"{"answers":[]}"#, 422, "invalid-body", ["/answers"]),
        Case(
            #"{"answers":{"rich":1,"spicy":null,"staple":[1]},"vetoes":{}}"#, 422, "invalid-body",
            ["/answers/rich", "/answers/spicy", "/answers/staple/0", "/vetoes"]),
        Case(#"{"answers":{"colour":"like","a/b~":"like"}}"#, 422, "unknown-card", ["/answers/colour", "/answers/a~1b~0"]),
        Case(#"{"answers":{"rich":"love","staple":["bread"]}}"#, 422, "unknown-option", ["/answers/rich", "/answers/staple/0"]),
        Case(#"{"answers":{"cuisine":["martian"]}}"#, 422, "unknown-option", ["/answers/cuisine/0"]),
        Case(#"{"vetoes":["meat","gluten"]}"#, 422, "unknown-veto", ["/vetoes/1"]),
        Case(#"{"answers":{"staple":["none","rice"]}}"#, 422, "invalid-body", ["/answers/staple/0"]),
        Case(#"{"answers":{"rich":["like"]}}"#, 422, "invalid-body", ["/answers/rich"]),
        Case(#"{"answers":{"staple":"rice"}}"#, 422, "invalid-body", ["/answers/staple"]),
        Case(
            #"{"answers":{"spicy":"love","nope":"like","staple":[7,"bread"]},"vetoes":[1,"fish"]}"#, 422, "invalid-body",
            ["/answers/staple/0", "/vetoes/0", "/answers/spicy", "/answers/nope", "/answers/staple/1", "/vetoes/1"]),
        Case(
            #"{"answers":{"colour":"like","rich":"love"},"vetoes":["gluten"]}"#, 422, "invalid-body",
            ["/answers/colour", "/answers/rich", "/vetoes/0"]),
    ]

    @Test("A submission that is not right", arguments: submissions)
    func submission(bad: Case) async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        for path in ["/v1/rooms/\(pin)/submission", "/v1/solo"] {
            let method: HTTP.Method = path == "/v1/solo" ? .post : .put
            let answer = await server.send(method, path, token: token(1), body: bad.body)
            #expect(answer.status == bad.status)
            #expect(answer.code == bad.code)
            #expect(answer.pointers == bad.pointers)
            #expect(answer["Content-Type"] == "application/problem+json")
        }
        #expect(await server.send(.get, "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 0)
    }

    @Test("A body full of faults is answered with some of them, not with megabytes", arguments: ["vetoes", "answers"])
    func manyFaults(member: String) async throws {
        let server = try TestServer()
        let list = "[" + String(repeating: "0,", count: 30_000) + "0]"
        let object = "{" + (0..<3000).map { "\"card-\($0)\":7" }.joined(separator: ",") + "}"
        let answer = await server.send(.post, "/v1/solo", json: "{\"\(member)\":\(member == "vetoes" ? list : object)}")
        #expect(answer.status == 422)
        #expect(answer.pointers.first == "/\(member)")
        #expect(answer.pointers.count <= 100)
        #expect(answer.body.count < 16_384)
    }

    @Test("What our objects do not define is ignored, and a missing card is a skip")
    func unknownKeys() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1))
        let answer = await server.submit(pin, token(1), #"{"answers":{"staple":["none"],"cuisine":"skip"},"mood":{"a":[1,2.5e3,null]}}"#)
        #expect(answer.status == 201)
        #expect(
            answer.json["submission"]?["answers"]
                == .object([.init("staple", .array([.string("none")])), .init("cuisine", .string("skip"))]))
    }

    static let wishes: [Case] = [
        Case(#"{"nickname":"\u0000"}"#, 400, "malformed-json"),
        Case(#"{"nickname":7}"#, 422, "invalid-body", ["/nickname"]),
        Case(#"{"deadlineAt":"noon"}"#, 422, "invalid-body", ["/deadlineAt"]),
        Case(#"{"deadlineAt":1}"#, 422, "invalid-body", ["/deadlineAt"]),
        Case(#"{"deadlineAt":9223372036854775807}"#, 422, "invalid-body", ["/deadlineAt"]),
        Case(#"{"deadlineAt":9223372036854775808}"#, 400, "malformed-json"),
        Case(#"{"revealWhen":[]}"#, 422, "invalid-body", ["/revealWhen"]),
        Case(
            #"{"revealWhen":{"host":"yes","deadline":true,"submissions":0}}"#, 422, "invalid-body",
            ["/revealWhen/host", "/revealWhen/submissions", "/revealWhen/deadline"]),
        Case(#"{"revealWhen":{"submissions":501}}"#, 422, "invalid-body", ["/revealWhen/submissions"]),
        Case(#"{"revealWhen":{"host":false}}"#, 422, "invalid-body", ["/revealWhen"]),
    ]

    @Test("A room that cannot be opened as wished", arguments: wishes)
    func wish(bad: Case) async throws {
        let answer = await (try TestServer()).send(.post, "/v1/rooms", token: token(1), body: bad.body)
        #expect(answer.status == bad.status)
        #expect(answer.code == bad.code)
        #expect(answer.pointers == bad.pointers)
    }

    @Test(
        "Nicknames that people have",
        arguments: [
            "민지", "🐺", "가나다라마바사아자차카", "👨‍👩‍👧‍👦👩🏽‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿", "  O'Brien  ", "مريم", "a b", String(repeating: "👩🏽‍❤️‍💋‍👨🏽", count: 20),
            String(repeating: "🏴󠁧󠁢󠁥󠁮󠁧󠁿", count: 20), String(repeating: "👨‍👩‍👧‍👦", count: 20),
        ])
    func goodNicknames(name: String) async throws {
        let answer = try await (try TestServer()).send(.post, "/v1/rooms", token: token(1), json: encoded(["nickname": name]))
        #expect(answer.status == 201)
        #expect(answer.json["members"]?.array?.first?["nickname"]?.string == name.trimmingCharacters(in: .whitespaces))
    }

    @Test(
        "Nicknames that would be nothing, or not what they seem",
        arguments: [
            "", "   ", "\u{200B}", "\u{200D}\u{200D}", "\u{3164}", "\u{2800}", "\u{202E}evil", "a\u{2066}b", "a\u{7}b", "a\nb", "\u{FEFF}",
            "\u{00AD}", "\u{301}", "\u{20DD}", String(repeating: "가", count: 21), "a" + String(repeating: "\u{301}", count: 600),
        ])
    func badNicknames(name: String) async throws {
        let server = try TestServer()
        let answer = try await server.send(.post, "/v1/rooms", token: token(1), json: encoded(["nickname": name]))
        #expect(answer.status == 422)
        #expect(answer.pointers == ["/nickname"])
    }

    @Test("A nickname in decomposed Hangul is kept composed")
    func normalization() async throws {
        let server = try TestServer()
        let decomposed = "민지".decomposedStringWithCanonicalMapping
        let pin = try await server.open(token(1), json: try encoded(["nickname": decomposed]))
        let nickname = await server.send(.get, "/v1/rooms/\(pin)").json["members"]?.array?.first?["nickname"]?.string
        #expect(nickname.map { Array($0.utf8) } == Array("민지".precomposedStringWithCanonicalMapping.utf8))
    }

    @Test("Renaming changes the name, a missing name changes nothing, null takes it away")
    func renaming() async throws {
        let server = try TestServer()
        let pin = try await server.open(token(1), json: #"{"nickname":"A"}"#)
        let path = "/v1/rooms/\(pin)/members/me"
        for (body, name, sequence) in [
            ("{}", "A", 1), (#"{"nickname":"B"}"#, "B", 2), (#"{"nickname":"B"}"#, "B", 2), (#"{"nickname":null}"#, nil, 3),
        ]
            as [(String, String?, Int64)]
        {
            let answer = await server.send(.put, path, token: token(1), json: body)
            #expect(answer.status == 200)
            #expect(answer.json["members"]?.array?.first?["nickname"]?.string == name)
            #expect(answer.json["sequence"]?.integer == sequence)
        }
    }

    @Test(
        "A token that is missing or malformed where one is needed",
        arguments: [
            nil, "Bearer short", "Bearer " + String(repeating: "a", count: 4097), "Basic abcdefghijklmnopqrstuvwxyz",
            "Bearer with space in the token",
            "Bearer tøken-with-other-letters",
        ])
    func tokens(field: String?) async throws {
        let server = try TestServer()
        let answer = await server.send(.post, "/v1/rooms", json: "{}", fields: field.map { ["Authorization": $0] } ?? [:])
        #expect(answer.status == 401)
        #expect(answer.code == "token-required")
        #expect(answer["WWW-Authenticate"] == "Bearer")
    }

    @Test("A scheme is its seven bytes in either case: another byte in the place of any of them makes it another")
    func schemes() {
        let scheme = Array("Bearer ".utf8)
        for place in scheme.indices {
            for byte in UInt8.min...UInt8.max {
                var value = scheme + Array("1234567890123456".utf8)
                value[place] = byte
                var fields = Fields()
                fields.append(name: Array("Authorization".utf8), value: value)
                let isScheme = String(decoding: value.prefix(7), as: UTF8.self).lowercased() == "bearer "
                #expect((bearerToken(fields) != nil) == isScheme, "\(byte) at \(place)")
            }
        }
    }

    @Test("The longest and the shortest token, in a scheme of any case")
    func goodTokens() async throws {
        let server = try TestServer()
        for field in ["Bearer " + String(repeating: "a", count: 4096), "bearer 1234567890123456", "BEARER  ~!@#$%^&*()_+{}:1"] {
            #expect(await server.send(.post, "/v1/rooms", json: "{}", fields: ["Authorization": field]).status == 201)
        }
    }

    private func encoded(_ members: [String: String]) throws -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in members {
                writer.name(text: name)
                writer.string(value)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
