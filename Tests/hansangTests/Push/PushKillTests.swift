import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("Killed while it tells phones", .serialized, .sharesPostgres, .timeLimit(.minutes(30)))
struct PushKillTests {
    private static let devices = 6
    /// As many as `HANSANG_TEST_PUSH_KILLS` says.
    private static let kills = ProcessInfo.processInfo.environment["HANSANG_TEST_PUSH_KILLS"].flatMap { Int($0) } ?? 7

    @Test("a server with a file loses no stage, and sends none under another id") func killed() async throws {
        let folder = try TemporaryFolder()
        try await drill(servers: 1, revive: { try await ServerProcess(in: folder, ["--port", "0"] + $0.flags) })
    }

    @Test("of two servers at one database none loses a stage, and none sends one under another id") func killedInACluster() async throws {
        let (folder, schema) = (try TemporaryFolder(), try PostgresServer.shared().schema())
        try await drill(
            servers: 2,
            revive: {
                try await ServerProcess(
                    in: nil, ["--port", "0", "--store", schema.uri, "--token-key", folder.path("token.key")] + $0.flags)
            },
            killed: { client, number in
                // A minute on, and somebody's game has the other look at the clock: what was taken is anybody's again.
                try schema.run("UPDATE push_message SET due_at = 0 WHERE leased IS NOT NULL")
                let pin = try await client.open(token(number))
                _ = try await client.submit(pin, token(number))
                #expect(try await client.reveal(pin, token(number)).status == 200)
            })
    }

    /// Kills one server after the other when so many messages of a reveal are accepted, or some time after the reveal was answered.
    ///
    /// - Parameters:
    ///   - revive: starts one.
    ///   - killed: what is to be done when one is gone, at one that is there, by somebody with a number of their own.
    private func drill(
        servers count: Int, revive: (StandIn) async throws -> ServerProcess,
        killed: (WireClient, Int) async throws -> Void = { _, _ in }
    ) async throws {
        let standIn = try await StandIn()
        // There is time between what the service has accepted and what has been heard of that.
        try await standIn.tell(#"{"delay":0.005}"#)
        let random = TestRandom(seed: 8)
        var servers: [ServerProcess] = []
        for _ in 0..<count { servers.append(try await revive(standIn)) }
        var client = try servers[0].client()
        for number in 1...Self.devices {
            try await client.register(token(number), number.isMultiple(of: 2) ? "fcm" : "apns", "\(number)a\(number)")
        }
        var repeats = 0
        for round in 0..<Self.kills {
            let turn = round % count
            client = try servers[turn].client()
            // Nobody may have too many rooms.
            let host = token(1000 + round)
            let pin = try await client.open(host)
            let room = try #require(try await client.send("GET", "/v1/rooms/\(pin)").json["id"]?.string)
            for number in 1...Self.devices { _ = try await client.submit(pin, token(number)) }
            let before = try await standIn.tell().count("acceptedCount")
            #expect(try await client.reveal(pin, host).status == 200)
            let step = round % (Self.devices + 1)
            if step == 0 { usleep(UInt32(random.next() % 20_000)) }
            #expect(try await eventually { try await standIn.tell().count("acceptedCount") >= before + step })
            if round.isMultiple(of: 2) { usleep(UInt32(random.next() % 5000)) }
            try await servers[turn].kill()
            servers[turn] = try await revive(standIn)
            try await killed(try servers[(turn + 1) % count].client(), 5000 + round)
            var messages: [JSONValue] = []
            // All of them hear of the reveal, whenever the server was killed.
            #expect(
                try await eventually {
                    let all = try await standIn.tell(#"{"after":\#(before),"limit":1000}"#)["accepted"]?.array ?? []
                    messages = all.filter { $0["collapse"]?.string == room && $0.told?.stage == "revealed" }
                    return Set(messages.map { $0["token"] }).count == Self.devices
                })
            for (_, ids) in Dictionary(grouping: messages, by: { $0["token"] }) { #expect(Set(ids.map { $0["id"] }).count == 1) }
            repeats += messages.count - Self.devices
        }
        #expect(servers.allSatisfy { $0.program.ending == nil })
        if Self.kills > 50 { print("\(Self.kills) kills: no stage lost, \(repeats) messages sent again under their ids") }
    }
}
