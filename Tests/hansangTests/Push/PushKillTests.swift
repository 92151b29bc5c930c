import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("Killed while it tells phones", .serialized, .timeLimit(.minutes(10)))
struct PushKillTests {
    private static let devices = 6
    /// As many as `HANSANG_TEST_PUSH_KILLS` says.
    private static let kills = ProcessInfo.processInfo.environment["HANSANG_TEST_PUSH_KILLS"].flatMap { Int($0) } ?? 7

    @Test("it loses no stage, and sends none under another id") func killed() async throws {
        let standIn = try await StandIn()
        // There is time between what the service has accepted and what has been heard of that.
        try await standIn.tell(#"{"delay":0.005}"#)
        let folder = try TemporaryFolder()
        let random = TestRandom(seed: 8)
        var server = try await ServerProcess(in: folder, ["--port", "0"] + standIn.flags)
        var client = try server.client()
        for number in 1...Self.devices {
            try await client.register(token(number), number.isMultiple(of: 2) ? "fcm" : "apns", "\(number)a\(number)")
        }
        var rooms: [String] = []
        for round in 0..<Self.kills {
            // Nobody may have too many rooms.
            let host = token(1000 + round)
            let pin = try await client.open(host)
            rooms.append(try #require(try await client.send("GET", "/v1/rooms/\(pin)").json["id"]?.string))
            for number in 1...Self.devices { _ = try await client.submit(pin, token(number)) }
            let before = try await standIn.tell().count("acceptedCount")
            #expect(try await client.reveal(pin, host).status == 200)
            // When so many are accepted, or some time after the answer.
            let step = round % (Self.devices + 1)
            if step == 0 { usleep(UInt32(random.next() % 20_000)) }
            #expect(try await eventually { try await standIn.tell().count("acceptedCount") >= before + step })
            if round.isMultiple(of: 2) { usleep(UInt32(random.next() % 5000)) }
            try await server.kill()
            server = try await ServerProcess(in: folder, ["--port", "0"] + standIn.flags)
            client = try server.client()
            let room = rooms[round]
            var messages: [JSONValue] = []
            // All of them hear of the reveal, whenever the server was killed.
            #expect(
                try await eventually {
                    let all = try await standIn.tell(#"{"after":\#(before),"limit":1000}"#)["accepted"]?.array ?? []
                    messages = all.filter { $0["collapse"]?.string == room && $0.told?.stage == "revealed" }
                    return Set(messages.map { $0["token"] }).count == Self.devices
                })
            for (_, ids) in Dictionary(grouping: messages, by: { $0["token"] }) { #expect(Set(ids.map { $0["id"] }).count == 1) }
        }
        #expect(server.program.ending == nil)
    }
}
