import JSON
import TestSupport
import Testing

@Suite("What streams hear of the host's acts", .serialized, .timeLimit(.minutes(2)))
struct HostEventTests {
    private let server: LiveServer
    private let phone: WireClient
    private let pin: String

    init() async throws {
        server = try LiveServer(in: TemporaryFolder())
        phone = try server.client()
        pin = try await phone.open(token(1))
        for number in 2...3 { _ = try await phone.submit(pin, token(number)) }
    }

    private func act(_ method: String, _ path: String, json: String? = nil, as number: Int = 1) async throws -> WireAnswer {
        try await phone.send(method, "/v1/rooms/\(pin)\(path)", token: token(number), json: json)
    }

    @Test("Each of them: a removed member that they are none any more, a new host that they are one, decision and next round")
    func acts() async throws {
        let removed = try await server.client().events(of: pin, token: token(2))
        let next = try await server.client().events(of: pin, token: token(3))
        for stream in [removed, next] { #expect(try await stream.nextEvent()["isMember"]?.bool == true) }

        #expect(try await act("DELETE", "/members/m_2").status == 204)
        let gone = try await removed.nextEvent { $0["memberCount"]?.integer == 2 }
        #expect(gone["isMember"]?.bool == false)
        #expect(gone["hasSubmitted"]?.bool == false)
        #expect(gone["submissionCount"]?.integer == 1)

        #expect(try await act("PUT", "/host", json: #"{"memberId":"m_3"}"#).status == 200)
        #expect(try await next.nextEvent { $0["isHost"]?.bool == true }["isMember"]?.bool == true)

        let result = try await act("POST", "/reveal", as: 3).json
        let menu = try #require(result["menus"]?.array?.first?["id"]?.string)
        #expect(try await act("POST", "/decision", json: #"{"menuId":"\#(menu)"}"#, as: 3).status == 200)
        let decided = try await removed.nextEvent { $0["phase"]?.string == "decided" }
        #expect(decided["decision"]?["menuId"]?.string == menu)

        let begun = try await act("POST", "/rounds", as: 3).json
        let again = try await removed.nextEvent { $0["round"]?.integer == 2 }
        #expect(again["phase"]?.string == "open")
        #expect(again["submissionCount"]?.integer == 0)
        #expect(again["sequence"] == begun["sequence"])
    }

    @Test("That the room was closed: streams say so and end, answers that were held come, and there is no such room")
    func close() async throws {
        let sequence = try #require(try await act("GET", "").json["sequence"]?.integer)
        let streams = [
            try await server.client().events(of: pin), try await server.client().events(of: pin, token: token(2)),
        ]
        for stream in streams { _ = try await stream.nextEvent() }
        let waiting = try server.client()
        try waiting.write(WireClient.request("GET", "/v1/rooms/\(pin)?after=\(sequence)&wait=60", token: token(3)))
        _ = try await phone.join(pin, token(4))
        #expect(try await onOwnThread { try waiting.read() }.json["sequence"]?.integer == sequence + 1)
        try waiting.write(WireClient.request("GET", "/v1/rooms/\(pin)?after=\(sequence + 1)&wait=60", token: token(3)))
        #expect(try await act("DELETE", "").status == 204)
        for stream in streams {
            let blocks = try await stream.blocks()
            #expect(blocks.last == .end)
            #expect(blocks.dropLast().last?.json["memberCount"]?.integer == 4)
        }
        let answer = try await onOwnThread { try waiting.read() }
        #expect(answer.status == 404)
        #expect(answer.code == "room-not-found")
        #expect(try await server.client().send("GET", "/v1/rooms/\(pin)/events").code == "room-not-found")
    }
}
