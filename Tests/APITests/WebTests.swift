import Foundation
import JSON
import TestSupport
import Testing

@testable import API
@testable import HTTP

@Suite("The client that plays in a browser")
struct WebTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    /// The addresses that the page loads from.
    private func assets() async throws -> [String] {
        let page = await server.send(.get, "/").text
        let links = page.split(separator: "\"").filter { $0.hasPrefix("/assets/") }
        #expect(links.count > 5)
        return links.map(String.init)
    }

    @Test(
        "The page is the same at the start and in every room, and has no address but ours in it",
        arguments: ["/", "/r/004217", "/r/004217/", "/r/004217/?from=chat", "/r/x"])
    func page(path: String) async throws {
        let answer = await server.send(.get, path, fields: ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"])
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "text/html; charset=utf-8")
        #expect(answer["Cache-Control"] == "no-cache")
        #expect(answer.body == (await server.send(.get, "/").body))
        for foreign in ["http:", "https:", "\"//", "style=", "<style", "onload=", "/assets/version/"] {
            #expect(!answer.text.contains(foreign))
        }
        // Each script is a file.
        #expect(answer.text.components(separatedBy: "<script").count == answer.text.components(separatedBy: "></script>").count)
        let tag = try #require(answer["ETag"])
        #expect(await server.send(.get, path, fields: ["If-None-Match": tag]).status == 304)
        #expect(await server.send(.get, path, fields: ["Accept": "application/json"]).code == "not-acceptable")
        let refused = await server.send(.post, path)
        #expect(refused.status == 405)
        #expect(refused["Allow"] == "GET, HEAD, OPTIONS")
    }

    @Test("A browser may load and run what is ours and nothing else, tells nobody where it was, and guesses no types")
    func policy() async throws {
        let answer = await server.send(.get, "/r/004217")
        let policy = try #require(answer["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'self';"))
        #expect(!policy.contains("unsafe"))
        #expect(policy.contains("require-trusted-types-for 'script'"))
        for path in try await ["/r/004217"] + assets() {
            let answer = await server.send(.get, path)
            #expect(answer["X-Content-Type-Options"] == "nosniff")
            #expect(answer["Referrer-Policy"] == "no-referrer")
        }
    }

    @Test("What the page loads may be kept for ever, for each version has addresses of its own")
    func immutable() async throws {
        for path in try await assets() {
            let answer = await server.send(.get, path)
            #expect(answer.status == 200, "\(path)")
            #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
            let types = ["js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"]
            #expect(answer["Content-Type"] == types[String(path.split(separator: ".").last ?? "")])
            let file = try #require(path.split(separator: "/").last)
            #expect(answer.body == (try TestServer.resource("web/assets/\(file)")))
            let tag = try #require(answer["ETag"])
            #expect(await server.send(.get, path, fields: ["If-None-Match": tag]).status == 304)
        }
        let page = Array("<script src=\"/assets/version/a.js\">".utf8)
        let versions = try ["1", "2"].map { try WebClient(page: page, assets: ["a.js": Array($0.utf8)]) }
        #expect(versions[0].version != versions[1].version)
        #expect(versions[0].page.tag != versions[1].page.tag)
    }

    @Test(
        "What a page of another version asks for is given as it is here, and is not to be kept", arguments: ["0000000000000000", "9c1f0e"])
    func otherVersion(version: String) async throws {
        for path in try await assets() {
            let file = try #require(path.split(separator: "/").last)
            let answer = await server.send(.get, "/assets/\(version)/\(file)")
            #expect(answer.status == 200)
            #expect(answer["Cache-Control"] == "no-store")
            #expect(answer["Content-Type"] == (await server.send(.get, path))["Content-Type"])
            #expect(answer.body == (try TestServer.resource("web/assets/\(file)")))
        }
        #expect(await server.send(.get, "/assets/\(version)/index.html").code == "route-not-found")
    }

    @Test(
        "What cannot be a version names nothing",
        arguments: ["version", "0000000000000000f", "9C1F", "..", "%2e%2e", "12g4", "%EF%BC%91"])
    func noVersion(version: String) async throws {
        #expect(await server.send(.get, "/assets/\(version)/app.js").status == 404)
    }

    @Test("The page asks for all scripts at once, and all of it is less than 110 KB")
    func complete() async throws {
        let client = try TestServer.webClient()
        let linked = Set(try await assets().compactMap { $0.split(separator: "/").last.map(String.init) })
        #expect(linked == Set(client.files))
        var size = client.page.body.count
        for file in client.files { size += try #require(client.asset(file, version: client.version)).page.body.count }
        #expect(size < 110_000)
    }

    @Test(
        "Names are those of the table and nothing else: no other file can be named",
        arguments: [
            "", "..", "../index.html", "..%2Findex.html", "%2e%2e/index.html", "app.js%00", "APP.JS", "app.js/", ".", "index.html",
            "app%2Ejs/x",
            "..%5Cdocs.html",
        ])
    func traversal(file: String) async throws {
        let folder = try #require(try await assets().first).split(separator: "/").prefix(2).joined(separator: "/")
        #expect(await server.send(.get, "/\(folder)/\(file)").status == 404)
    }

    @Test("An asset of no known kind is refused when the table is made")
    func unknownKind() {
        #expect(throws: UnknownAsset.self) { try WebClient(page: [], assets: ["notes.txt": []]) }
        #expect(throws: UnknownAsset.self) { try WebClient(page: [], assets: ["js": []]) }
    }
}
