import HTTP
import JSON
import TestSupport
import Testing

@Suite("Asking for a held answer", .timeLimit(.minutes(3)))
struct HoldTests {
    let server: TestServer

    init() throws { server = try TestServer() }

    @Test(
        "A time or a sequence that is none is refused, by HEAD too",
        arguments: [
            "after=1&wait=61", "after=1&wait=-1", "after=1&wait=", "after=1&wait=1.5", "after=1&wait=%2B1", "after=1&wait=x",
            "after=x&wait=1", "after=-1", "after=", "after=99999999999999999999&wait=1", "wait=99999999999999999999", "after=%zz",
        ])
    func malformed(query: String) async throws {
        let pin = try await server.open(token(1))
        for method in [HTTP.Method.get, .head] {
            let answer = await server.send(method, "/v1/rooms/\(pin)?\(query)")
            #expect(answer.status == 400)
            #expect(answer.code == "malformed-request")
        }
    }

    @Test(
        "What is wrong in a query is named, with what is taken",
        arguments: [
            ("?after=1&wait=61", "wait in the query is no integer from 0 to 60."),
            ("?after=-1", "after in the query is no integer from 0 on."),
            ("/result?round=0", "round in the query is no integer from 1 on."),
        ])
    func named(rest: String, detail: String) async throws {
        let pin = try await server.open(token(1))
        #expect(await server.send(.get, "/v1/rooms/\(pin)\(rest)", fields: ["accept-language": "en"]).json["detail"]?.string == detail)
    }

    @Test(
        "Who does not say for how long, or for what, is answered at once", arguments: ["after=1000", "wait=60", "after=1000&wait=0", "x=1"])
    func atOnce(query: String) async throws {
        let pin = try await server.open(token(1))
        #expect(await server.send(.get, "/v1/rooms/\(pin)?\(query)").status == 200)
    }

    @Test("What has changed already is told at once, and what changes is told then")
    func change() async throws {
        let pin = try await server.open(token(1))
        let sequence = try #require(await server.send(.get, "/v1/rooms/\(pin)").json["sequence"]?.integer)
        #expect(await server.send(.get, "/v1/rooms/\(pin)?after=\(sequence - 1)&wait=60").json["sequence"]?.integer == sequence)
        async let held = server.send(.get, "/v1/rooms/\(pin)?after=\(sequence)&wait=60")
        let submitted = await server.submit(pin, token(2), "{}")
        let answer = await held
        #expect(answer.json["sequence"]?.integer ?? 0 > sequence)
        // One who joins and submits has done two things at once.
        #expect(answer.json["sequence"] == submitted.json["room"]?["sequence"])
    }
}
