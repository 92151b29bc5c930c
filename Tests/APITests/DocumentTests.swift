import JSON
import MenuGame
import TestSupport
import Testing
import UseCases

@testable import API
@testable import HTTP

@Suite("The contract, for machines and for people")
struct DocumentTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    @Test(
        "Each document comes as what it is, whatever the language, and is not sent to who has it",
        arguments: [
            ("/openapi.yaml", "openapi.yaml", "application/yaml"), ("/docs", "web/docs.html", "text/html; charset=utf-8"),
            ("/docs.css", "web/docs.css", "text/css; charset=utf-8"),
        ])
    func documents(path: String, file: String, type: String) async throws {
        let answer = await server.send(.get, path, fields: ["Accept-Language": "en"])
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == type)
        #expect(answer["X-Content-Type-Options"] == "nosniff")
        #expect(answer["Vary"] == nil)
        #expect(answer.body == (try TestServer.resource(file)))
        let tag = try #require(answer["ETag"])
        let known = await server.send(.get, path, fields: ["If-None-Match": tag])
        #expect(known.status == 304)
        #expect(known.body.isEmpty)
        #expect(await server.send(.get, path, fields: ["Accept": "application/json"]).code == "not-acceptable")
        #expect(await server.send(.post, path)["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test("The document names the bounds that hold")
    func bounds() throws {
        let document = String(decoding: try TestServer.resource("openapi.yaml"), as: UTF8.self)
        func length(_ bound: ClosedRange<Int>) -> String { "minLength: \(bound.lowerBound), maxLength: \(bound.upperBound)" }
        func times(_ bound: ClosedRange<Int>) -> String { "{\(bound.lowerBound),\(bound.upperBound)}$" }
        for said in [
            length(APIBounds.token), "\(APIBounds.token.lowerBound) to \(APIBounds.token.upperBound) visible ASCII characters",
            length(APIBounds.idempotencyKey), "[!-~]" + times(PushPlatform.tokenLength), "[0-9a-fA-F]" + times(PushPlatform.tokenLength),
            "[-.0-9A-Z_a-z]" + times(APIBounds.requestID), "minimum: 0, maximum: \(APIBounds.hold), default: 0",
            "comment comes every \(APIBounds.heartbeat.components.seconds) seconds",
            "retry: \(APIBounds.streamRetry)", "1 to \(Limits.nicknameGraphemes) grapheme clusters",
            "\(Limits.membersPerRoom) members are in", "as it can: \(Limits.removedPerRoom)",
            "played \(Limits.roundsPerRoom) times",
        ] { #expect(document.contains(said), "\(said)") }
    }

    @Test("A browser may load the page's style sheet and nothing else, and finds nothing else to load")
    func policy() async throws {
        let answer = await server.send(.get, "/docs", fields: ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"])
        let policy = try #require(answer["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'self';"))
        #expect(!policy.contains("unsafe"))
        for foreign in ["<script", "<img", "<iframe", "src=", "style=", "href=\"http", "href=\"//"] {
            #expect(!answer.text.contains(foreign))
        }
    }

    @Test("The codes of the document are those that the server has, each with the problem that it sends")
    func codes() throws {
        let lines = String(decoding: try TestServer.resource("openapi.yaml"), as: UTF8.self).split(separator: "\n")
        let problems = Problem.Code.allCases.map { ($0.rawValue, Problem($0).response(in: .en).body) }
        let refusals = [RequestError.bodyTooLarge, .fieldsTooLarge].map { ("\($0.code)", $0.response.body) }
        for (code, body) in problems + refusals {
            // One that has more to tell goes on behind its code.
            let start = "      value: " + String(decoding: body.dropLast(), as: UTF8.self)
            #expect(lines.contains { $0.hasPrefix(start) }, "\(code): no example begins with\(start)")
        }
        let listed = try #require(lines.firstIndex(of: "    Code:"))
        let names = lines[listed...].prefix { $0 == "    Code:" || $0.hasPrefix("      ") }
            .filter { $0.hasPrefix("        - ") }.map { String($0.dropFirst(10)) }
        #expect(names.sorted() == (problems + refusals).map(\.0).sorted())
    }
}
