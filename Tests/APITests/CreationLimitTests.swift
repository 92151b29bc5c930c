import API
import HTTP
import MenuGame
import TestSupport
import Testing

@Suite("Opening rooms without end")
struct CreationLimitTests {
    private func open(_ server: TestServer, _ number: Int, from peer: String = "192.0.2.1") async -> Answer {
        await server.send(.post, "/v1/rooms", token: token(number), json: "{}", from: peer)
    }

    @Test("Sixty from one address, whoever opens them, then one a minute; others go on")
    func sixty() async throws {
        let server = try TestServer()
        for number in 0..<60 { #expect(await open(server, number).status == 201) }
        let refused = await open(server, 60)
        #expect(refused.status == 429)
        #expect(refused.code == "too-many-attempts")
        #expect(refused["Retry-After"] == "60")
        #expect(await open(server, 60, from: "192.0.2.2").status == 201)
        server.clock.advance(by: 60_000)
        #expect(await open(server, 60).status == 201)
        #expect(await open(server, 61).status == 429)
    }

    @Test("As many as were set")
    func setting() async throws {
        let server = try TestServer(limits: ClientLimits(roomsPerHour: 2))
        for number in 0..<2 { #expect(await open(server, number).status == 201) }
        #expect(await open(server, 2)["Retry-After"] == "1800")
    }

    @Test("A room that was not opened does not count, be it for the request or for the server")
    func givenBack() async throws {
        let server = try TestServer(limits: ClientLimits(roomsPerHour: 2), pinSpace: PINSpace(first: 1), pinSpaceGrows: false)
        for _ in 0..<5 {
            #expect(await server.send(.post, "/v1/rooms", json: "{}").status == 401)
            #expect(await server.send(.post, "/v1/rooms", token: token(1), json: #"{"nickname":7}"#).status == 422)
            #expect(await server.send(.post, "/v1/rooms", token: token(1), json: "{").status == 400)
        }
        #expect(await open(server, 1).status == 201)
        for _ in 0..<5 { #expect(await open(server, 1).code == "no-free-pin") }
        server.clock.advance(by: 24 * 60 * 60 * 1000)
        for code in [nil, "no-free-pin"] { #expect(await open(server, 1).code == code) }
    }

    @Test("Who has guessed too often may still open rooms, and who has opened too many still plays")
    func apart() async throws {
        let server = try TestServer(limits: ClientLimits(roomsPerHour: 1))
        for _ in 0..<31 { _ = await server.send(.get, "/v1/rooms/kitchen") }
        let pin = try await server.open(token(1))
        #expect(await open(server, 1).status == 429)
        #expect(await server.submit(pin, token(1), "{}").status == 201)
    }
}
