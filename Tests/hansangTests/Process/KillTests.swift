import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@Suite("Killed in the middle", .serialized, .timeLimit(.minutes(2)))
struct KillTests {
    /// What one member has tried and been told in one round.
    private struct Attempts {
        /// How many submissions were sent, and how many of them were acknowledged.
        var sent = 0
        var acknowledged = 0
        /// The highest sequence that an answer has shown.
        var sequence: Int64 = 0
    }

    private static let members = 100
    private static let revisions = 7

    /// Answers that tell by whom they are and which of theirs: a bit of the member's number a card, and the staples for the revision.
    private static func sheet(_ member: Int, _ revision: Int) -> String {
        let cards = ["hangover", "greasy", "health", "alcohol", "instant", "spicy", "rich"]
        var answers = cards.enumerated().map { bit, card in #""\#(card)":"\#(member >> bit & 1 == 1 ? "like" : "dislike")""# }
        let staples = ["rice", "noodle", "soup"].enumerated().filter { revision >> $0.offset & 1 == 1 }.map { #""\#($0.element)""# }
        answers.append(#""staple":[\#(staples.joined(separator: ","))]"#)
        return #"{"answers":{\#(answers.joined(separator: ","))},"vetoes":[]}"#
    }

    @Test("Killed while a hundred members submit, it has kept all that it acknowledged and nothing that nobody sent")
    func killed() async throws {
        let folder = try TemporaryFolder()
        let random = TestRandom(seed: 2)
        let host = token(1000)
        var results: [String: [UInt8]] = [:]
        var server = try await ServerProcess(in: folder)
        for _ in 1...5 {
            let pin = try await server.client().open(host)
            let moment = Int(random.next() % UInt64(Self.members * Self.revisions - 50)) + 1
            let pause = UInt32(random.next() % 3000)
            let attempts = try await submit(to: pin, on: server, killing: moment, after: pause)
            #expect(try await server.program.end() == .signal(SIGKILL))

            server = try await ServerProcess(in: folder)
            let client = try server.client()
            // On a thread of its own, since tests wait for one another behind each of hundreds of answers.
            let revealed = try await onOwnThread { try Self.check(attempts, in: pin, host: host, by: client) }
            results[pin] = revealed
            // Those of the rounds before were read back from the disk.
            for (pin, result) in results { #expect(try await client.send("GET", "/v1/rooms/\(pin)/result").body == result) }
        }
    }

    /// Compares what is stored with what was tried, reveals, and returns the result.
    private static func check(_ attempts: [Attempts], in pin: String, host: String, by client: WireClient) throws -> [UInt8] {
        var stored = 0
        for (member, attempt) in attempts.enumerated() {
            let answer = try client.ask("GET", "/v1/rooms/\(pin)/submission", token: token(member))
            guard answer.status == 200 else {
                #expect(attempt.acknowledged == 0, "lost: \(answer.text)")
                continue
            }
            stored += 1
            // Acknowledged or later, and one of those that were sent.
            let sheets = try (max(1, attempt.acknowledged)...max(1, attempt.sent)).map { step in
                try JSONValue(parsing: Array(Self.sheet(member, step).utf8))
            }
            #expect(sheets.contains { $0["answers"] == answer.json["answers"] && $0["vetoes"] == answer.json["vetoes"] })
        }
        let room = try client.ask("GET", "/v1/rooms/\(pin)", token: host).json
        #expect(room["submissionCount"]?.integer == Int64(stored))
        #expect(room["isHost"]?.bool == true)
        #expect(try #require(room["sequence"]?.integer) >= attempts.map(\.sequence).max() ?? 0)
        let revealed = try client.ask("POST", "/v1/rooms/\(pin)/reveal", token: host)
        #expect(revealed.json["playerCount"]?.integer == Int64(stored))
        return revealed.body
    }

    /// Has all members submit at once, one revision after the other, and kills the server `pause` microseconds after `moment` answers.
    private func submit(to pin: String, on server: ServerProcess, killing moment: Int, after pause: UInt32) async throws -> [Attempts] {
        let answers = Mutex(0)
        return try await atOnce(0..<Self.members) { member in
            var attempts = Attempts()
            guard let client = try? server.client() else { return attempts }
            for revision in 1...Self.revisions {
                attempts.sent = revision
                let sheet = Self.sheet(member, revision)
                guard let answer = try? client.ask("PUT", "/v1/rooms/\(pin)/submission", token: token(member), json: sheet) else { break }
                #expect(answer.status == (revision == 1 ? 201 : 200))
                attempts.acknowledged = revision
                attempts.sequence = answer.json["room"]?["sequence"]?.integer ?? 0
                guard
                    answers.withLock({ answers in
                        answers += 1
                        return answers == moment
                    })
                else { continue }
                usleep(pause)
                server.program.send(SIGKILL)
            }
            return attempts
        }
    }
}
