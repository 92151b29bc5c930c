import API
import HTTP
import JSON
import TestSupport
import Testing

@Suite("Guessing PINs")
struct LookupLimitTests {
    let server: TestServer
    let pin: String

    init() async throws {
        server = try TestServer()
        pin = try await server.open(token(1))
    }

    /// A PIN that no room has, another for every number.
    private func wrong(_ number: Int) -> String { pin.hasPrefix("1") ? "2\(10_000 + number)" : "1\(10_000 + number)" }

    private func guess(_ count: Int, from peer: String = "192.0.2.1") async -> [Answer] {
        var answers: [Answer] = []
        for number in 0..<count { answers.append(await server.send(.get, "/v1/rooms/\(wrong(number))", from: peer)) }
        return answers
    }

    @Test("Of three hundred wrong PINs from one address thirty are called wrong, and meanwhile every room can be reached from there")
    func threeHundred() async throws {
        for number in 0..<300 {
            let answer = await server.send(.get, "/v1/rooms/\(wrong(number))")
            #expect(answer.status == (number < 30 ? 404 : 429), "\(number)")
            #expect(answer.code == (number < 30 ? "room-not-found" : "too-many-attempts"))
            #expect(answer["Retry-After"] == (number < 30 ? nil : "20"))
            guard number % 50 == 49 else { continue }
            #expect(await server.send(.get, "/v1/rooms/\(pin)").status == 200)
            #expect(await server.send(.put, "/v1/rooms/\(pin)/members/me", token: token(number), json: "{}").status == 201)
            #expect(await server.submit(pin, token(number), "{}").status == 201)
            #expect(await server.send(.get, "/v1/rooms/\(pin)/submission", token: token(number)).status == 200)
            #expect(await server.send(.delete, "/v1/rooms/\(pin)/submission", token: token(number)).status == 204)
            #expect(await server.send(.delete, "/v1/rooms/\(pin)/members/me", token: token(number)).status == 204)
            #expect(await server.send(.post, "/v1/rooms", token: token(number), json: "{}").status == 201)
        }
        #expect(await guess(1, from: "192.0.2.2")[0].status == 404)
        #expect(await guess(1, from: "2001:db8::1")[0].status == 404)
    }

    @Test("After twenty seconds there is one more, after ten minutes there are thirty again, and Retry-After says when")
    func recovery() async {
        _ = await guess(30)
        server.clock.advance(by: 500)
        #expect(await guess(1)[0]["Retry-After"] == "20")
        server.clock.advance(by: 19_499)
        #expect(await guess(1)[0]["Retry-After"] == "1")
        server.clock.advance(by: 1)
        #expect(await guess(2).map(\.status) == [404, 429])
        server.clock.advance(by: 600_000)
        #expect(await guess(31).count { $0.status == 404 } == 30)
    }

    @Test("Every route with a PIN in it counts, with any method, and so does what is no PIN")
    func everywhere() async {
        let requests: [(HTTP.Method, String, String)] = [
            (.get, "", ""), (.head, "", ""), (.delete, "", ""), (.get, "?after=1&wait=1", ""), (.get, "/events", ""),
            (.put, "/members/me", "{}"), (.delete, "/members/me", ""), (.delete, "/members/m_1", ""), (.delete, "/members/m_0", ""),
            (.put, "/host", #"{"memberId":"m_1"}"#), (.put, "/submission", "{}"), (.patch, "/submission", "{}"),
            (.get, "/submission", ""), (.head, "/submission", ""), (.delete, "/submission", ""), (.post, "/reveal", ""),
            (.get, "/result", ""), (.post, "/decision", #"{"menuId":"bibimbap"}"#), (.post, "/rounds", ""), (.get, "/game", ""),
            (.get, "/qr.svg", ""),
        ]
        var statuses: [Int] = []
        for pin in [wrong(1), "kitchen", "12345", "%30%31"] {
            for (method, path, body) in requests {
                statuses.append(await server.send(method, "/v1/rooms/\(pin)\(path)", token: token(1), json: body).status)
            }
        }
        #expect(statuses == Array(repeating: 404, count: 30) + Array(repeating: 429, count: 4 * requests.count - 30))
    }

    @Test("Whoever was in a room that has ended finds that out, a whole office at a time, and nobody there is locked out for it")
    func ended() async throws {
        let room = "/v1/rooms/\(pin)"
        #expect(await server.send(.delete, room, token: token(1)).status == 204)
        for path in ["", "/events", "/result", "/game"] {
            for _ in 0..<60 { #expect(await server.send(.get, "\(room)\(path)").status == 404) }
        }
        #expect(await guess(31).map(\.status) == Array(repeating: 404, count: 30) + [429])
        // Some time later it is a PIN like any other that no room has.
        server.clock.advance(by: 600_000)
        var statuses: [Int] = []
        for _ in 0..<31 { statuses.append(await server.send(.get, room).status) }
        #expect(statuses == Array(repeating: 404, count: 30) + [429])
    }

    @Test("What is wrong for another reason is not counted")
    func notCounted() async throws {
        let room = "/v1/rooms/\(pin)"
        for _ in 0..<40 {
            #expect(await server.send(.post, "\(room)/reveal", token: token(2)).status == 403)
            #expect(await server.send(.post, "\(room)/reveal", token: token(1)).status == 409)
            #expect(await server.send(.get, "\(room)/result").status == 409)
            #expect(await server.send(.get, "\(room)/submission", token: token(1)).status == 404)
            #expect(await server.send(.post, "\(room)/reveal").status == 401)
            #expect(await server.submit(pin, token(1), #"{"vetoes":["gluten"]}"#).status == 422)
            #expect(await server.send(.post, room).status == 405)
            #expect(await server.send(.get, "/v1/menus/nothing").status == 404)
            #expect(await server.send(.get, "/v2/rooms/123456").status == 404)
            #expect(await server.send(.get, room).status == 200)
        }
        #expect(await guess(30).allSatisfy { $0.status == 404 })
    }

    @Test("Unknown, expired and malformed PINs answer alike in all they do, throttled too")
    func alike() async throws {
        let expired = try TestServer()
        let old = try await expired.open(token(1))
        expired.clock.advance(by: 24 * 60 * 60 * 1000)
        let unknown = old == "000000" ? "000001" : "000000"
        let requests: [(HTTP.Method, String, String)] = [
            (.get, "", ""), (.head, "", ""), (.get, "/result?round=x", ""), (.get, "/result", ""), (.put, "/submission", "{}"),
            (.put, "/submission", "{"), (.put, "/submission", #"{"vetoes":[1]}"#), (.put, "/members/me", #"{"nickname":7}"#),
            (.post, "/reveal", ""), (.delete, "/submission", ""), (.patch, "", ""), (.patch, "/submission", "{"),
            (.post, "/decision", "{}"), (.post, "/decision", #"{"menuId":"bibimbap"}"#), (.put, "/host", "{}"),
            (.put, "/host", #"{"memberId":"m_1"}"#), (.delete, "/members/xx", ""), (.delete, "/members/m_1", ""), (.get, "?wait=x", ""),
            (.get, "?after=1&wait=1", ""), (.get, "/events", ""), (.post, "/rounds", ""), (.delete, "", ""),
            (.get, "/game", ""), (.get, "/qr.svg", ""),
        ]
        for _ in 0..<6 {
            for (method, path, body) in requests {
                var answers: [Answer] = []
                // The same number of failures before each.
                for (peer, pin) in [("192.0.2.1", old), ("192.0.2.2", unknown), ("192.0.2.3", "kitchen"), ("192.0.2.4", "1234567890")] {
                    answers.append(
                        await expired.send(method, "/v1/rooms/\(pin)\(path)", token: token(1), body: Array(body.utf8), from: peer))
                }
                for answer in answers.dropFirst() {
                    #expect(answer.status == answers[0].status, "\(method.name) \(path)")
                    #expect(answer.body == answers[0].body)
                    let fields = [answers[0], answer].map { answer in
                        answer.fields.filter { $0.name.lowercased != "x-request-id" }.map { "\($0.name.lowercased): \($0.value)" }
                    }
                    #expect(fields[0] == fields[1])
                }
            }
        }
        #expect(await expired.send(.get, "/v1/rooms/\(old)", from: "192.0.2.1").status == 429)
    }

    @Test("Another X-Forwarded-For every time makes nobody another client")
    func spoofing() async {
        for number in 0..<40 {
            let answer = await server.send(
                .get, "/v1/rooms/\(wrong(number))", fields: ["X-Forwarded-For": "203.0.113.\(number)"])
            #expect(answer.status == (number < 30 ? 404 : 429))
        }
    }

    @Test("Behind a proxy that is trusted each of its clients counts for itself, whatever they say of themselves")
    func behindProxy() async throws {
        let server = try TestServer(limits: ClientLimits(trustsProxy: true))
        for number in 0..<40 {
            for client in ["203.0.113.1", "2001:db8::\(number)"] {
                let answer = await server.send(
                    .get, "/v1/rooms/99\(1000 + number)", lines: [("X-Forwarded-For", "10.0.0.\(number), \(client)")])
                #expect(answer.status == (number < 30 ? 404 : 429))
            }
        }
        #expect(await server.send(.get, "/v1/rooms/991000", fields: ["X-Forwarded-For": "203.0.113.2"]).status == 404)
    }

    @Test("The text says what to do, in both languages")
    func texts() async {
        _ = await guess(30)
        for (language, word) in [("ko", "Retry-After에"), ("en", "Retry-After says")] {
            let answer = await server.send(.get, "/v1/rooms/kitchen", fields: ["Accept-Language": language])
            #expect(answer.json["detail"]?.string?.contains(word) == true)
            #expect(answer["Content-Type"] == "application/problem+json")
            #expect(answer["Content-Language"] == language)
        }
    }
}
