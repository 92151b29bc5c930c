import JSON
import MenuGame
import TestSupport
import Testing

@testable import hansang

@Suite("Phones are told", .serialized, .timeLimit(.minutes(2)))
struct PushGameTests {
    private let clock: TestClock
    private let standIn: StandIn
    private let server: LiveServer
    private let client: WireClient

    init() async throws {
        let clock = TestClock()
        let standIn = try await StandIn(clock)
        self.clock = clock
        self.standIn = standIn
        server = try LiveServer(in: TemporaryFolder(), clock: clock) { configuration in
            configuration.roomsPerHour = 1_000_000
            configuration.admin = ListenAddress("127.0.0.1:0")
            standIn.configure(&configuration)
        }
        client = try server.client()
    }

    /// Whom the services have been given what for, in any order.
    private func told() async throws -> Set<String> {
        Set(try await standIn.accepted.compactMap(\.told).map { "\($0.token) \($0.stage)" })
    }

    private func areTold(_ expected: String...) async throws -> Bool {
        try await eventually { try await told() == Set(expected) }
    }

    @Test("of a whole game, each of what concerns it") func game() async throws {
        try await client.register(token(1), "apns", "a1")
        try await client.register(token(2), "fcm", "fcm-of-two")
        let pin = try await client.open(token(1))
        try await client.register(token(2), "apns-live-activity", "b2", room: pin)
        _ = try await client.submit(pin, token(1))
        _ = try await client.submit(pin, token(2))
        #expect(try await areTold("a1 all-submitted", "b2 all-submitted"))
        let result = try await client.reveal(pin, token(1))
        #expect(result.status == 200)
        #expect(
            try await areTold(
                "a1 all-submitted", "b2 all-submitted", "a1 revealed", "b2 revealed", "fcm-of-two revealed"))
        let menus = result.json["menus"]?.array ?? []
        let menu = try #require(menus.first?["id"]?.string)
        _ = try await client.send("POST", "/v1/rooms/\(pin)/decision", token: token(1), json: #"{"menuId":"\#(menu)"}"#)
        #expect(
            try await areTold(
                "a1 all-submitted", "b2 all-submitted", "a1 revealed", "b2 revealed", "fcm-of-two revealed", "a1 decided", "b2 decided",
                "fcm-of-two decided"))
        // Counted when it is written down.
        let admin = try WireClient(port: server.adminPort, keeping: server)
        #expect(
            try await eventually {
                let metrics = try await admin.send("GET", "/metrics").text
                return metrics.contains(#"hansang_push_messages_total{service="apns",outcome="accepted"} 6"#)
                    && metrics.contains(#"hansang_push_messages_total{service="fcm",outcome="accepted"} 2"#)
            })
        let accepted = try await standIn.accepted
        #expect(Set(accepted.map { $0["id"] }).count == accepted.count)
        #expect(Set(accepted.map { $0["collapse"] }).count == 1)
        // Nothing of the game but how far it is.
        for message in accepted {
            var writer = JSONWriter()
            writer.value(message)
            let text = String(decoding: writer.bytes, as: UTF8.self)
            #expect(!text.contains(pin))
            #expect(!text.contains(token(1)) && !text.contains(token(2)))
            for menu in menus { #expect(!text.contains(menu["name"]?.string ?? pin) && !text.contains(menu["id"]?.string ?? pin)) }
        }
    }

    @Test("again where a service failed, once it is there, and only of the newest stage") func outage() async throws {
        try await client.register(token(1), "apns", "a1")
        let pin = try await client.open(token(1))
        try await standIn.tell(#"{"listen":false}"#)
        _ = try await client.submit(pin, token(1))
        _ = try await client.submit(pin, token(2))
        #expect(try await client.reveal(pin, token(1)).status == 200)
        try await standIn.tell(#"{"listen":true}"#)
        #expect(
            try await eventually {
                clock.advance(by: 1000)
                // Of another game, so that somebody looks at the clock.
                let other = try await client.open(token(9))
                _ = try await client.submit(other, token(9))
                _ = try await client.reveal(other, token(9))
                _ = try await client.send("DELETE", "/v1/rooms/\(other)", token: token(9))
                return try await !told().isEmpty
            })
        #expect(try await told() == ["a1 revealed"])
    }

    @Test("no more when the service says that they are gone") func gone() async throws {
        try await client.register(token(1), "apns", "a1")
        try await client.register(token(1), "fcm", "another")
        let gone = #"{"status":410,"json":{"reason":"Unregistered","timestamp":\#(clock.now.milliseconds + 1)},"times":99}"#
        try await standIn.script("a1", gone)
        /// Plays a game of one, and returns how many messages were sent when the other device had heard of it.
        func play() async throws -> Int {
            let before = try await standIn.tell()
            let pin = try await client.open(token(1))
            _ = try await client.submit(pin, token(1))
            #expect(try await client.reveal(pin, token(1)).status == 200)
            #expect(try await eventually { try await standIn.tell().count("acceptedCount") > before.count("acceptedCount") })
            _ = try await client.send("DELETE", "/v1/rooms/\(pin)", token: token(1))
            return try await standIn.tell().count("requests") - before.count("requests")
        }
        // The first has Google's token asked for, too; whether both are sent when one is heard of is chance.
        #expect(try await (1...3).contains(play()))
        #expect(
            try await eventually {
                for _ in 1...3 where try await play() != 1 { return false }
                return true
            })
    }

    @Test("that a room ends whose result nobody has revealed, and live activities when it has") func expiry() async throws {
        try await client.register(token(1), "apns", "a1")
        let pin = try await client.open(token(1))
        try await client.register(token(2), "apns-live-activity", "b2", room: pin)
        _ = try await client.submit(pin, token(1))
        clock.advance(by: 24 * 3_600_000 - 20 * 60_000)
        try await standIn.tell(#"{"now":\#(clock.now.milliseconds)}"#)
        // Somebody else's game has the worker look at the clock before it would by itself.
        let other = try await client.open(token(3))
        _ = try await client.submit(other, token(3))
        #expect(try await client.reveal(other, token(3)).status == 200)
        #expect(try await areTold("a1 expiring", "b2 expiring"))
        clock.advance(by: 20 * 60_000)
        try await standIn.tell(#"{"now":\#(clock.now.milliseconds)}"#)
        await server.sweep()
        let last = try await client.open(token(3))
        _ = try await client.submit(last, token(3))
        #expect(try await client.reveal(last, token(3)).status == 200)
        #expect(try await eventually { try await told().contains("b2 over") })
        let end = try await standIn.accepted.last { $0.told?.stage == "over" }?["message"]?["payload"]?["aps"]
        #expect(end?["event"]?.string == "end")
    }
}
