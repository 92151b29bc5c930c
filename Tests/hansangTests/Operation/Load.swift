import Dispatch
import JSON
import Synchronization
import TestSupport
import Testing

/// Players who go on playing, whatever becomes of the server, and take note of everything that does not go as it should.
///
/// They are as patient as a well-behaved client has to be: a connection that the server has said it will close is opened anew, and a stream
/// that has ended as streams do. Anything else that goes wrong is a failure: they repeat nothing.
final class Load: Sendable {
    struct Report {
        var failures: [String] = []
        var requests = 0
        /// The numbers of all submissions that were answered.
        var revisions: [Int] = []
        /// Streams that the server has ended, and that were opened again.
        var endedStreams = 0
    }

    static let arguments = ["--port", "0", "--rooms-per-hour", "1000000", "--max-streams-per-token", "100", "--log-level", "info,http=off"]

    private let port: Int
    private let pin: String
    private let isOver = Atomic(false)
    private let report = Mutex(Report())
    private let everybody: Mutex<Task<Void, any Error>?>
    private let players: Int

    init(port: Int, players: Int) async throws {
        self.port = port
        self.players = players
        pin = try await WireClient(port: port).open(token(0))
        everybody = Mutex(nil)
        everybody.withLock { everybody in
            everybody = Task { [self] in
                _ = try await atOnce(0..<players + 2) { [self] number in
                    switch number {
                    case players: try readOnNewConnections()
                    case players + 1: try follow()
                    default: try submit(number)
                    }
                }
            }
        }
    }

    /// Returns when there have been some hundred more requests.
    func goOn() async throws {
        let before = report.withLock(\.requests)
        let hasGoneOn = try await eventually { report.withLock { $0.requests } >= before + 200 }
        #expect(hasGoneOn, "the load stands still")
    }

    /// Ends it, and says what there was to see.
    func end() async throws -> Report {
        isOver.store(true, ordering: .releasing)
        // One more change, so that whoever follows the room hears of the end.
        let last = try await WireClient(port: port).submit(pin, token(1000))
        try await everybody.withLock { $0 }?.value
        return report.withLock { report in
            report.revisions.append(Int(last.json["submission"]?["revision"]?.integer ?? 0))
            // One that is missing was carried out and not answered, or answered and lost.
            if report.revisions.sorted() != Array(1...report.revisions.count) {
                report.failures.append("submissions are missing or doubled")
            }
            return report
        }
    }

    private var goesOn: Bool { !isOver.load(ordering: .acquiring) }

    private func fail(_ what: String) { report.withLock { $0.failures.append(what) } }

    /// Submits again and again. Submissions of a room are numbered: each that was answered has another number.
    private func submit(_ number: Int) throws {
        var client = try WireClient(port: port)
        while goesOn {
            do {
                let answer = try client.ask("PUT", "/v1/rooms/\(pin)/submission", token: token(number), json: #"{"vetoes":["meat"]}"#)
                let told = Int(answer.json["submission"]?["revision"]?.integer ?? 0)
                if ![200, 201].contains(answer.status) { fail("submission: \(answer.status) \(answer.text)") }
                report.withLock { report in
                    report.requests += 1
                    report.revisions.append(told)
                }
                if answer["Connection"] == "close" { client = try WireClient(port: port) }
            } catch {
                fail("submission: \(error)")
                client = try WireClient(port: port)
            }
        }
    }

    private func readOnNewConnections() throws {
        while goesOn {
            do {
                let answer = try WireClient(port: port).ask("GET", "/v1/rooms/\(pin)")
                if answer.status != 200 { fail("read: \(answer.status)") }
                report.withLock { $0.requests += 1 }
            } catch { fail("read: \(error)") }
        }
    }

    /// Follows the room's events, and goes on behind the last one wherever they break off.
    private func follow() throws {
        var last = 0
        while goesOn {
            do throws(WireError) {
                let events = try EventReader(WireClient(port: port), "/v1/rooms/\(pin)/events", lastEventID: last > 0 ? "\(last)" : nil)
                while goesOn, let block = try events.next() {
                    guard case .event(_, let id, _) = block else { continue }
                    if id < last { fail("event \(id) after \(last)") }
                    last = Int(id)
                }
                if goesOn { report.withLock { $0.endedStreams += 1 } }
            } catch { fail("stream: \(error)") }
        }
    }
}
