import JSON
import MenuGame
import TestSupport
import Testing

@Suite("Events of a room", .serialized, .timeLimit(.minutes(2)))
struct EventTests {
    let server: LiveServer
    let phone: WireClient

    init() throws {
        server = try LiveServer(in: TemporaryFolder())
        phone = try server.client()
    }

    @Test("The room comes at once, then every change of it, to members and strangers")
    func changes() async throws {
        let pin = try await phone.open(token(1), json: #"{"nickname":"민지"}"#)
        let stream = try await server.client().events(of: pin)
        #expect(stream.head["Cache-Control"] == "no-store")
        #expect(stream.head["X-Accel-Buffering"] == "no")
        #expect(stream.head["Vary"] == "Authorization")
        #expect(stream.head["X-Request-ID"] != nil)
        #expect(try await stream.nextBlock() == .retry(2000))
        let first = try await stream.nextEvent()
        #expect(state(first) == state(try await phone.send("GET", "/v1/rooms/\(pin)").json))
        #expect(first["isMember"]?.bool == false)
        for number in 2...4 {
            let joined = try await phone.join(pin, token(number)).json
            let event = try await stream.nextEvent()
            #expect(event["sequence"] == joined["sequence"])
            #expect(event["memberCount"]?.integer == Int64(number))
            #expect(event["isMember"]?.bool == false)
            #expect(event["staleAt"]?.integer == event["serverTime"]?.integer.map { $0 + 10_000 })
        }
        _ = try await phone.submit(pin, token(1))
        _ = try await stream.nextEvent { $0["submissionCount"]?.integer == 1 }
        _ = try await phone.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1))
        let revealed = try await stream.nextEvent { $0["phase"]?.string == "revealed" }
        #expect(state(revealed) == state(try await phone.send("GET", "/v1/rooms/\(pin)").json))
    }

    @Test("Everybody is told what they are themselves, also when they join by another connection")
    func views() async throws {
        let pin = try await phone.open(token(1))
        var streams: [EventReader] = []
        for caller in [token(1), token(2), token(3), nil] {
            let stream = try await server.client().events(of: pin, token: caller)
            let view = try await stream.nextEvent()
            #expect(view["isHost"]?.bool == (caller == token(1)))
            #expect(view["isMember"]?.bool == (caller == token(1)))
            #expect(view["hasSubmitted"]?.bool == false)
            streams.append(stream)
        }
        _ = try await phone.join(pin, token(2))
        _ = try await phone.submit(pin, token(2))
        _ = try await phone.send("PUT", "/v1/rooms/\(pin)/members/me", token: token(3), json: "{}")
        let expected = [(true, true, false), (false, true, true), (false, true, false), (false, false, false)]
        for (stream, (isHost, isMember, hasSubmitted)) in zip(streams, expected) {
            let view = try await stream.nextEvent { $0["memberCount"]?.integer == 3 }
            #expect(view["isHost"]?.bool == isHost)
            #expect(view["isMember"]?.bool == isMember)
            #expect(view["hasSubmitted"]?.bool == hasSubmitted)
        }
    }

    @Test("Three connections with one token are one member")
    func oneMember() async throws {
        let pin = try await phone.open(token(1))
        let clients = try (0..<3).map { _ in try server.client() }
        var streams: [EventReader] = []
        for client in clients {
            #expect(try await client.join(pin, token(2)).status == (streams.isEmpty ? 201 : 200))
            streams.append(try await client.events(of: pin, token: token(2)))
        }
        _ = try await phone.submit(pin, token(2))
        for stream in streams {
            let event = try await stream.nextEvent { $0["submissionCount"]?.integer == 1 }
            #expect(event["memberCount"]?.integer == 2)
            #expect(event["hasSubmitted"]?.bool == true)
        }
    }

    @Test("Two rooms hear nothing of each other")
    func separation() async throws {
        let pins = [try await phone.open(token(1)), try await phone.open(token(1))]
        var streams: [EventReader] = []
        for pin in pins { streams.append(try await server.client().events(of: pin)) }
        for number in 2...40 { _ = try await phone.join(pins[number % 2], token(number)) }
        // One more each, which is the last that is heard.
        for pin in pins { _ = try await phone.submit(pin, token(1)) }
        for (pin, stream) in zip(pins, streams) {
            let last = try await stream.nextEvent { event in
                #expect(event["pin"]?.string == pin)
                return event["submissionCount"]?.integer == 1
            }
            #expect(state(last) == state(try await phone.send("GET", "/v1/rooms/\(pin)").json))
        }
    }

    @Test("Two hundred streams of a room all get the same news")
    func crowd() async throws {
        let pin = try await phone.open(token(0))
        let streams = try await atOnce(0..<200) { number in
            let stream = try EventReader(server.client(), "/v1/rooms/\(pin)/events", token: token(number % 20))
            _ = try stream.event()
            return stream
        }
        let last = try await phone.join(pin, token(0), json: #"{"nickname":"지훈"}"#)
        let events = try await atOnce(0..<200) { number in
            try streams[number].event { $0["sequence"] == last.json["sequence"] }
        }
        for (number, event) in events.enumerated() {
            #expect(event["members"] == last.json["members"])
            #expect(event["isHost"]?.bool == (number % 20 == 0))
            // Written once for all, at one time.
            #expect(event["serverTime"] == events[0]["serverTime"])
        }
    }

    @Test("A reader that was slow finds the newest state, and few that are old")
    func slowReader() async throws {
        let pin = try await phone.open(token(0))
        let nickname = String(repeating: "👨‍👩‍👧‍👦", count: 20)
        for number in 1...60 { _ = try await phone.join(pin, token(number), json: #"{"nickname":"\#(nickname)"}"#) }
        let slow = try await server.client(receiveBuffer: 4096).events(of: pin)
        // Several megabytes, so more than the kernel keeps for a client.
        let renames = (1...200).flatMap {
            WireClient.request("PUT", "/v1/rooms/\(pin)/members/me", token: token(0), json: #"{"nickname":"no \#($0)"}"#)
        }
        let sequence = try await onOwnThread { [phone] in
            try phone.write(renames)
            return try (1...200).map { _ in try phone.read().json["sequence"]?.integer }.last
        }
        let (last, count) = try await onOwnThread {
            var count = 0
            let last = try slow.event { event in
                count += 1
                return event["sequence"]?.integer == sequence
            }
            return (last, count)
        }
        #expect(last["members"]?.array?.first?["nickname"]?.string == "no 200")
        #expect(count < 50)
    }

    @Test("Until the reveal no byte of it says what anybody answered, or what may come out")
    func secrecy() async throws {
        let pin = try await phone.open(token(1), json: #"{"nickname":"Host"}"#)
        let stream = try await server.client().events(of: pin, token: token(2))
        let stranger = try await server.client().events(of: pin)
        let sheets = [
            #"{"answers":{"hangover":"like"},"vetoes":["sashimi"]}"#, #"{"answers":{"cuisine":["exotic"]},"vetoes":["intestine"]}"#,
            #"{"answers":{"staple":["noodle"]},"vetoes":["spicy"]}"#,
        ]
        for (number, sheet) in sheets.enumerated() { #expect(try await phone.submit(pin, token(number + 1), sheet).status == 201) }
        _ = try await phone.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1))
        let secrets =
            ["hangover", "sashimi", "exotic", "intestine", "noodle", "spicy", "answers", "vetoes", "menus", "seed", "device-token"]
            + (try Catalogues.shipped().menus.flatMap { [$0.id.text, $0.name.ko, $0.name.en] })
        for stream in [stream, stranger] {
            var phase: String?
            while phase != "revealed" {
                guard case .event(_, _, let data)? = try await stream.nextBlock() else { continue }
                for secret in secrets { #expect(!data.contains("\"\(secret)\""), "it says \(secret)") }
                #expect(!data.contains("device-token"))
                phase = try JSONValue(parsing: Array(data.utf8))["phase"]?.string
            }
        }
    }

    @Test("HEAD gets the fields and no stream; a room that there is not is the usual problem")
    func headAndUnknown() async throws {
        let pin = try await phone.open(token(1))
        let head = try await phone.send("HEAD", "/v1/rooms/\(pin)/events")
        #expect(head.status == 200)
        #expect(head["Content-Type"] == "text/event-stream")
        #expect(head["Transfer-Encoding"] == "chunked")
        for path in ["/v1/rooms/000/events", "/v1/rooms/999999999/events"] {
            let unknown = try await phone.send("GET", path)
            #expect(unknown.status == 404)
            #expect(unknown.code == "room-not-found")
        }
        #expect(try await phone.send("POST", "/v1/rooms/\(pin)/events").status == 405)
        #expect(try await phone.send("GET", "/v1/rooms/\(pin)/events", fields: ["Accept: application/json"]).status == 406)
        // The connection has served all of that, and has a stream at last.
        #expect(try await phone.events(of: pin).nextBlock() == .retry(2000))
    }
}
