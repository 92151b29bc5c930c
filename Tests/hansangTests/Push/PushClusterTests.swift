import JSON
import MenuGame
import TestSupport
import Testing

@testable import hansang

@Suite("Servers at one database tell phones", .sharesPostgres, .serialized, .timeLimit(.minutes(3)))
struct PushClusterTests {
    /// Two servers that share a database, a clock and the services.
    private func node(_ schema: PostgresServer.Schema, _ folder: TemporaryFolder, _ clock: TestClock, _ standIn: StandIn) throws
        -> LiveServer
    {
        try LiveServer(in: folder, clock: clock) { configuration in
            configuration.store = .postgres(uri: schema.uri)
            configuration.tokenKeyPath = folder.path("token.key")
            configuration.roomsPerHour = 1_000_000
            standIn.configure(&configuration)
        }
    }

    /// One that has no credentials.
    private func mute(_ schema: PostgresServer.Schema, _ folder: TemporaryFolder, _ clock: TestClock) throws -> LiveServer {
        try Cluster.node(at: schema, in: folder, clock: clock)
    }

    @Test("of what one has changed that has no credentials, as soon as another hears of it") func others() async throws {
        let clock = TestClock()
        let standIn = try await StandIn(clock)
        let (schema, folder) = (try PostgresServer.shared().schema(), try TemporaryFolder())
        let mute = try mute(schema, folder, clock)
        let client = try mute.client()
        let telling = try node(schema, folder, clock, standIn)
        // It has looked at the outbox, and would look again in half a minute.
        try await telling.client().register(token(1), "apns", "a1")
        let pin = try await client.open(token(1))
        _ = try await client.submit(pin, token(1))
        #expect(try await client.reveal(pin, token(1)).status == 200)
        #expect(try await eventually { try await standIn.accepted.compactMap(\.told).map(\.stage) == ["revealed"] })
        withExtendedLifetime(telling) {}
    }

    @Test("of nothing where none has credentials, and what was to be told is kept until it is worth nothing any more") func none()
        async throws
    {
        let clock = TestClock()
        let (schema, folder) = (try PostgresServer.shared().schema(), try TemporaryFolder())
        let nodes = [try mute(schema, folder, clock), try mute(schema, folder, clock)]
        for (number, node) in nodes.enumerated() {
            let client = try node.client()
            try await client.register(token(number), "apns", "a\(number)")
            let pin = try await client.open(token(number))
            _ = try await client.submit(pin, token(number))
            #expect(try await client.reveal(pin, token(number)).status == 200)
        }
        #expect(try schema.run("SELECT count(*) FROM push_notice") == ["2"])
        #expect(try schema.run("SELECT count(*) FROM push_message") == ["0"])
        clock.advance(by: 3_600_000)
        await nodes[0].sweep()
        #expect(try schema.run("SELECT count(*) FROM push_notice") == ["0"])
    }

    @Test("once, whichever of them does it, and what one has taken that is no more the other tells") func shared() async throws {
        let clock = TestClock()
        let standIn = try await StandIn(clock)
        let (schema, folder) = (try PostgresServer.shared().schema(), try TemporaryFolder())
        let here = try node(schema, folder, clock, standIn)
        var there: LiveServer? = try node(schema, folder, clock, standIn)
        let client = try here.client()
        let other = try there?.client()
        for number in 1...40 { try await client.register(token(number), "apns", "a\(number)") }
        let pin = try await client.open(token(1))
        for number in 1...40 { _ = try await (number.isMultiple(of: 2) ? client : other)?.submit(pin, token(number)) }
        #expect(try await client.reveal(pin, token(1)).status == 200)
        func revealed(after first: Int) async throws -> [String] {
            let accepted = try await standIn.tell(#"{"after":\#(first),"limit":1000}"#)["accepted"]?.array ?? []
            return accepted.compactMap(\.told).filter { $0.stage == "revealed" }.map(\.token)
        }
        #expect(try await eventually { try await revealed(after: 0).count >= 40 })
        #expect(try await revealed(after: 0).count == 40)
        #expect(try await Set(revealed(after: 0)).count == 40)

        // One of them takes a message and is then silent for good.
        let before = try await standIn.tell().count("acceptedCount")
        try await standIn.script("a7", #"{"do":"hang"}"#)
        let next = try #require(try await other?.open(token(7)))
        _ = try await other?.submit(next, token(7))
        #expect(try await other?.reveal(next, token(7)).status == 200)
        #expect(try await eventually { try await standIn.tell().count("requests") > before })
        there = nil
        var number = 1000
        #expect(
            try await eventually {
                clock.advance(by: 10_000)
                try await standIn.tell(#"{"now":\#(clock.now.milliseconds)}"#)
                // Somebody's game has the one that is left look at the clock.
                number += 1
                let pin = try await client.open(token(number))
                _ = try await client.submit(pin, token(number))
                _ = try await client.reveal(pin, token(number))
                return try await revealed(after: before).contains("a7")
            })
    }
}
