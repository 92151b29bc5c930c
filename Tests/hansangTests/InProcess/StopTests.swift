import Dispatch
import Glibc
import JSON
import TestSupport
import Testing

@Suite("A graceful stop", .serialized, .timeLimit(.minutes(2)))
struct StopTests {
    @Test("A submission that was half sent when the stop came is answered, durable, and the last on its connection")
    func halfSent() async throws {
        let folder = try TemporaryFolder()
        let server = try LiveServer(in: folder)
        let client = try server.client()
        let pin = try await client.open(token(1))
        let request = WireClient.request("PUT", "/v1/rooms/\(pin)/submission", token: token(1), json: #"{"vetoes":["meat"]}"#)
        // All on one thread: the rest has to come before the server has had enough of waiting for it.
        let answer = try await onOwnThread {
            // The answer to the first request tells that the server has seen the second.
            try client.write(WireClient.request("GET", "/healthz") + request.dropLast(8))
            #expect(try client.read().status == 200)
            let stopped = DispatchSemaphore(value: 0)
            server.stop { stopped.signal() }
            while !WireClient.isRefused(port: server.port) { usleep(1000) }
            try client.write(Array(request.suffix(8)))
            let answer = try client.read()
            client.finishSending()
            #expect(try client.isEnded())
            #expect(stopped.wait(timeout: .now() + 30) == .success)
            return answer
        }
        #expect(answer.status == 201)
        #expect(answer["Connection"] == "close")

        let again = try LiveServer(in: folder)
        let submission = try await again.client().send("GET", "/v1/rooms/\(pin)/submission", token: token(1))
        #expect(submission.json["vetoes"]?.array == [.string("meat")])
    }

    @Test("Submissions that were sent before the stop are all answered, and all that were answered are durable")
    func inFlight() async throws {
        let folder = try TemporaryFolder()
        let server = try LiveServer(in: folder)
        let pin = try await server.client().open(token(0))
        let clients = try await atOnce(1..<51) { _ in
            let client = try server.client()
            _ = try client.ask("GET", "/healthz")
            return client
        }
        let requests = (1...50).map { WireClient.request("PUT", "/v1/rooms/\(pin)/submission", token: token($0), json: "{}") }
        try await onOwnThread {
            for (client, request) in zip(clients, requests) { try client.write(request) }
            server.stop {}
        }
        let statuses = try await atOnce(0..<50) { number in
            let status = try clients[number].read().status
            clients[number].finishSending()
            return status
        }
        #expect(statuses.allSatisfy { $0 == 201 })
        await server.stop()

        let again = try LiveServer(in: folder)
        #expect(try await again.client().send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 50)
    }

    @Test("Connections that wait for nothing do not hold a stop up, and it leaves the store whole and free for the next")
    func idle() async throws {
        let folder = try TemporaryFolder()
        let server = try LiveServer(in: folder)
        let clients = try (0..<20).map { _ in try server.client() }
        for client in clients.prefix(10) { #expect(try await client.send("GET", "/healthz").status == 200) }
        let began = ContinuousClock.now
        let stopped = await server.stop()
        // The grace is four seconds: it was not waited for.
        #expect(stopped - began < .seconds(3))
        for client in clients { #expect(try await onOwnThread { try client.isEnded() }) }
        // Nothing is left in a write-ahead log.
        #expect(!folder.names.contains("rooms.sqlite-wal"))
        _ = try LiveServer(in: folder)
    }
}
