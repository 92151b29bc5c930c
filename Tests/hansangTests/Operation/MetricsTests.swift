import Foundation
import JSON
import MenuGame
import Metrics
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import hansang

@Suite("Metrics", .timeLimit(.minutes(2)))
struct MetricsTests {
    private static func server() throws -> LiveServer {
        try LiveServer(in: TemporaryFolder()) { $0.admin = .anyLocalPort }
    }

    @Test("A game can be followed in them")
    func game() async throws {
        let server = try Self.server()
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await client.submit(pin, token(1)).status == 201)
        #expect(try await client.submit(pin, token(2)).status == 201)
        #expect(try await client.submit(pin, token(2), #"{"vetoes":["meat"]}"#).status == 200)
        #expect(try await client.send("GET", "/v1/rooms/\(pin)").status == 200)
        #expect(try await client.send("GET", "/v1/rooms/000").status == 404)
        #expect(try await client.send("GET", "/nowhere").status == 404)
        #expect(try await client.send("BREW", "/v1/rooms").status == 405)
        let events = try await server.client().events(of: pin)
        #expect(try await events.nextEvent()["phase"]?.string == "open")
        #expect(try await client.send("POST", "/v1/rooms/\(pin)/reveal", token: token(1)).status == 200)

        let scrape = try await Scrape(port: server.adminPort)
        for (series, value) in [
            (#"hansang_http_requests_total{method="POST",route="/v1/rooms",code="201"}"#, 1),
            (#"hansang_http_requests_total{method="PUT",route="/v1/rooms/{pin}/submission",code="201"}"#, 2),
            (#"hansang_http_requests_total{method="PUT",route="/v1/rooms/{pin}/submission",code="200"}"#, 1),
            (#"hansang_http_requests_total{method="GET",route="/v1/rooms/{pin}",code="404"}"#, 1),
            (#"hansang_http_requests_total{method="GET",route="(none)",code="404"}"#, 1),
            (#"hansang_http_requests_total{method="other",route="/v1/rooms",code="405"}"#, 1),
            (#"hansang_http_request_duration_seconds_count{method="GET",route="/v1/rooms/{pin}"}"#, 2),
            (#"hansang_http_request_duration_seconds_bucket{method="GET",route="/v1/rooms/{pin}",le="+Inf"}"#, 2),
            ("hansang_http_connections", 2), ("hansang_http_streams", 1), ("hansang_rooms_live", 1), ("hansang_rooms_opened_total", 1),
            ("hansang_submissions_total", 3), ("hansang_rooms_revealed_total", 1), ("hansang_rooms_expired_total", 0),
            ("hansang_pin_lookups_failed_total", 1), ("hansang_pin_lookups_refused_total", 0), ("hansang_writer_waiting_commands", 0),
            ("hansang_store_failures_total", 0),
        ] as [(String, Double)] { #expect(scrape[series] == value, "\(series)") }
        #expect(scrape["hansang_writer_batch_commands_count"] ?? 0 >= 5)
        #expect(scrape["hansang_store_commit_duration_seconds_sum"] ?? 0 > 0)
        #expect(scrape[#"hansang_room_reads_total{from="memory"}"#] ?? 0 >= 2)
        #expect(scrape[#"hansang_store_size_bytes{part="database"}"#] ?? 0 > 0)
        #expect(scrape["process_resident_memory_bytes"] ?? 0 > 1e6)
        #expect(abs((scrape["process_start_time_seconds"] ?? 0) - Date().timeIntervalSince1970) < 24 * 3600)
        #expect(!scrape.text.contains(pin) && !scrape.text.contains(token(1)))
    }

    @Test("The store is asked once for all that is told of it")
    func once() {
        let store = CountingStore()
        let scrape = Scrape(String(decoding: Exposition.text(of: ServerMetrics.families(of: store, at: TestClock().now)), as: UTF8.self))
        #expect(scrape["hansang_rooms_live"] == 3 && scrape[#"hansang_store_size_bytes{part="database"}"#] == 4096)
        #expect(scrape[#"hansang_push_messages_waiting{service="apns"}"#] == 7)
        #expect(store.calls.withLock { $0 } == 1)
    }

    @Test("Who tries PINs, and rooms that time has ended, are counted")
    func refusalsAndExpiry() async throws {
        let clock = TestClock()
        let server = try LiveServer(in: TemporaryFolder(), clock: clock) { $0.admin = .anyLocalPort }
        let client = try server.client()
        let pin = try await client.open(token(1))
        // All in one go: in twenty seconds one more would be allowed.
        try await onOwnThread {
            try client.write(Array(repeatElement(WireClient.request("GET", "/v1/rooms/none"), count: 31).joined()))
            for _ in 0..<31 { _ = try client.read() }
        }
        #expect(try await Scrape(port: server.adminPort)["hansang_pin_lookups_refused_total"] == 1)
        #expect(try await Scrape(port: server.adminPort)["hansang_rooms_live"] == 1)
        clock.advance(by: 24 * 3600 * 1000)
        #expect(try await Scrape(port: server.adminPort)["hansang_rooms_live"] == 0)
        await server.sweep()
        #expect(try await Scrape(port: server.adminPort)["hansang_rooms_expired_total"] == 1)
        #expect(try await client.send("GET", "/v1/rooms/\(pin)").status != 200)
    }

    @Test("Prometheus' own tool finds nothing to say about them", .enabled(if: Promtool.isInstalled, "promtool is in Debian's prometheus"))
    func promtool() async throws {
        let server = try Self.server()
        let client = try server.client()
        _ = try await client.open(token(1))
        let scrape = try await Scrape(port: server.adminPort)
        let remains = try await Program.run(["check", "metrics"], input: Array(scrape.text.utf8), path: Promtool.path)
        #expect(remains.ending == .exit(0), "\(remains.text)\(remains.errors)")
        #expect(remains.errors.isEmpty, "\(remains.errors)")
    }

    @Test("The operator's listener answers nothing else, and the public one has no metrics")
    func listeners() async throws {
        let server = try Self.server()
        #expect(try await server.client().send("GET", "/metrics").status == 404)
        let admin = try WireClient(port: server.adminPort)
        for (method, target, status) in [
            ("GET", "/v1/game", 404), ("GET", "/", 404), ("POST", "/metrics", 405), ("HEAD", "/metrics", 200), ("GET", "/metrics", 200),
        ] {
            let answer = try await admin.send(method, target)
            #expect(answer.status == status, "\(method) \(target)")
            if status == 200 { #expect(answer["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8") }
        }
    }

    @Test("The dashboard and the alerts ask only for what there is")
    func files() async throws {
        let server = try Self.server()
        let names = try await Scrape(port: server.adminPort).names
        for file in ["grafana-dashboard.json", "alerts.yaml"] {
            let text = try String(contentsOf: projectFolder.appending(path: "docker/\(file)"), encoding: .utf8)
            let asked = text.matches(of: /\b(?:hansang|process)_[a-z_]+/).map { String($0.output) }
            #expect(asked.count > 5)
            for name in asked {
                let family = name.replacing(/_(bucket|sum|count)$/, with: "")
                #expect(names.contains(name) || names.contains(family), "\(file): \(name)")
            }
        }
        let dashboard = try Data(contentsOf: projectFolder.appending(path: "docker/grafana-dashboard.json"))
        let json = try JSONValue(parsing: Array(dashboard))
        let panels = json["panels"]?.array ?? []
        #expect(panels.count > 8)
        #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
    }

    @Test("Every alert has a summary, and Prometheus' own tool takes the rules", .enabled(if: Promtool.isInstalled))
    func rules() async throws {
        let file = projectFolder.appending(path: "docker/alerts.yaml").path
        let remains = try await Program.run(["check", "rules", file], path: Promtool.path)
        #expect(remains.ending == .exit(0), "\(remains.text)\(remains.errors)")
        let tests = projectFolder.appending(path: "docker/alerts-test.yaml").path
        let tested = try await Program.run(["test", "rules", tests], path: Promtool.path)
        #expect(tested.ending == .exit(0), "\(tested.text)\(tested.errors)")
    }
}

private final class CountingStore: MeasuredStore {
    let calls = Mutex(0)

    func figures(at now: Instant) throws(StoreError) -> StoreFigures {
        calls.withLock { $0 += 1 }
        return StoreFigures(rooms: 3, bytes: [("database", 4096)], push: [(.apns, 7)])
    }
}
