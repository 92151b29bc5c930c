import Glibc
import JSON
import TestSupport
import Testing

@Suite("Told to end", .timeLimit(.minutes(2)))
struct SignalTests {
    /// What a machine that has much else to do may add to a time.
    private let busyMachine: Duration = .seconds(1)

    /// What else is open when the signal comes.
    enum Open: CaseIterable {
        case nothing, idleConnections, halfSentHead, halfSentBody, unreadAnswers
    }

    @Test("SIGTERM and SIGINT: it takes nothing new, and exits 0 within five seconds", arguments: [SIGTERM, SIGINT], Open.allCases)
    func ends(signal: Int32, open: Open) async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(in: folder)
        let clients = try (0..<10).map { _ in try server.client() }
        let pin = try await clients[0].open(token(1))
        let submission = WireClient.request("PUT", "/v1/rooms/\(pin)/submission", token: token(1), json: "{}")
        try await onOwnThread {
            switch open {
            case .nothing: for client in clients { client.finishSending() }
            case .idleConnections: for client in clients { _ = try client.ask("GET", "/healthz") }
            case .halfSentHead: for client in clients { try client.write(Array(submission.prefix(60))) }
            case .halfSentBody: for client in clients { try client.write(submission.dropLast(1)) }
            case .unreadAnswers:
                let requests = (0..<50).map { _ in WireClient.request("GET", "/v1/menus") }.joined()
                for client in clients { try client.write(Array(requests)) }
            }
        }
        let began = ContinuousClock.now
        server.program.send(signal)
        #expect(try await eventually { WireClient.isRefused(port: server.port) })
        #expect(try await server.program.end() == .exit(0))
        // What is half sent is waited for, four seconds; what waits for nothing is not waited for.
        let limit: Duration = open == .nothing || open == .idleConnections ? .seconds(3) : .seconds(5)
        #expect(try #require(server.program.endedAt) - began < limit + busyMachine)

        let again = try await ServerProcess(in: folder).client()
        #expect(try await again.send("GET", "/v1/rooms/\(pin)", token: token(1)).json["isHost"]?.bool == true)
    }

    @Test("Told twice, it ends once")
    func twice() async throws {
        let server = try await ServerProcess(in: TemporaryFolder())
        let client = try server.client()
        let request = WireClient.request("POST", "/v1/rooms", token: token(1), json: "{}")
        let status = try await onOwnThread {
            try client.write(WireClient.request("GET", "/healthz") + request.dropLast(1))
            #expect(try client.read().status == 200)
            server.program.send(SIGINT)
            while !WireClient.isRefused(port: server.port) { usleep(1000) }
            server.program.send(SIGTERM)
            try client.write([request[request.count - 1]])
            let status = try client.read().status
            client.finishSending()
            return status
        }
        #expect(status == 201)
        #expect(try await server.program.end() == .exit(0))
        #expect(server.log.count { $0["event"]?.string == "stopped" } == 1)
    }

    @Test("Told while it starts, it ends all the same", arguments: [SIGTERM, SIGINT])
    func atStart(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let server = try Program(["serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"])
        // The lock is there before the server listens. Looked for without a pause, for the start is short.
        try await onOwnThread {
            let end = ContinuousClock.now + .seconds(30)
            while access(folder.path("rooms.sqlite.lock"), F_OK) != 0, ContinuousClock.now < end {}
            server.send(signal)
        }
        let ending = try await server.end()
        #expect(ending == .exit(0), "\(server.errors)")
    }

    @Test("A log that nobody reads holds up neither the answers nor the end")
    func unreadLog() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("log")
        #expect(mkfifo(pipe, 0o600) == 0)
        // Both ends, so that neither the server nor this waits for the other to open it.
        let reader = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let program = try Program(["serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"], errors: pipe)
        var start: [UInt8] = []
        #expect(
            try await eventually {
                var chunk = [UInt8](repeating: 0, count: 1000)
                let count = read(reader, &chunk, chunk.count)
                start += chunk.prefix(max(0, count))
                return start.last == UInt8(ascii: "\n")
            })
        let port = Int(try #require(try JSONValue(parsing: start)["port"]?.integer))
        let client = try WireClient(port: port)
        let requests = Array((0..<1500).map { _ in WireClient.request("GET", "/healthz") }.joined())
        let statuses = try await onOwnThread {
            try client.write(requests)
            return try (0..<1500).map { _ in try client.read().status }
        }
        #expect(statuses.allSatisfy { $0 == 200 })
        client.finishSending()
        let began = ContinuousClock.now
        program.send(SIGTERM)
        #expect(try await program.end() == .exit(0))
        #expect(try #require(program.endedAt) - began < .seconds(5) + busyMachine)
    }
}
