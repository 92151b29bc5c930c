import Foundation
import TestSupport
import Testing

@testable import hansang

@Suite("Playing games on a running server", .timeLimit(.minutes(2)))
struct LoadCommandTests {
    @Test("All games are played, every request is counted, and nothing is left behind")
    func plays() async throws {
        let server = try LiveServer(in: TemporaryFolder()) { configuration in
            configuration.admin = .anyLocalPort
            configuration.roomsPerHour = 1000
        }
        let remains = try await Program.run(
            ["load", "--url", "http://127.0.0.1:\(server.port)/", "--games", "12", "--members", "3", "--connections", "4"])
        #expect(remains.ending == .exit(0), "\(remains.errors)")
        #expect(remains.errors.isEmpty)
        let rows = remains.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let counts = ["open": 12, "submit": 36, "read": 36, "reveal": 12, "result": 36, "close": 12, "all": 144]
        for (name, count) in counts {
            let row = try #require(rows.first { $0.first == name })
            #expect(row.count == 7 && row[1] == "\(count)")
            let percentiles = row[3...].compactMap(Double.init)
            #expect(percentiles.count == 4 && percentiles == percentiles.sorted() && percentiles[0] > 0)
        }
        let scrape = try await Scrape(port: server.adminPort)
        #expect(
            scrape["hansang_rooms_opened_total"] == 12 && scrape["hansang_rooms_closed_total"] == 12 && scrape["hansang_rooms_live"] == 0)
        #expect(scrape["hansang_rooms_revealed_total"] == 12)
    }

    @Test("What goes wrong is told, by kind, and is the status")
    func faults() async throws {
        let server = try LiveServer(in: TemporaryFolder()) { $0.roomsPerHour = 2 }
        let remains = try await Program.run(
            ["load", "--url", "http://127.0.0.1:\(server.port)", "--games", "5", "--members", "1", "--connections", "1"])
        #expect(remains.ending == .exit(69))
        #expect(remains.lines == ["hansang: not all went well:", "  3 × open: 429 too-many-attempts"])
        // The port of tcpmux, which nobody has.
        let alone = try await Program.run(["load", "--url", "http://127.0.0.1:1", "--games", "3"])
        #expect(alone.ending == .exit(69))
        #expect(alone.lines.count == 2 && alone.lines.last?.hasPrefix("  3 × open: ") == true, "\(alone.errors)")
    }

    @Test(
        "What cannot be asked for is refused",
        arguments: [["--url", "127.0.0.1"], ["--games", "0"], ["--members", "501"], ["--conections", "1"], ["x"]])
    func usage(arguments: [String]) async throws {
        let remains = try await Program.run(["load"] + arguments)
        #expect(remains.ending == .exit(64) && remains.lines.count == 1 && remains.output.isEmpty)
    }

    @Test("Percentiles are values that were there, by the nearest rank")
    func percentiles() {
        let values = Array(1...200)
        #expect([0, 1, 50, 99, 100].map { LoadReport.percentile($0, of: values) } == [1, 2, 100, 198, 200])
        #expect(LoadReport.percentile(99, of: [7]) == 7 && LoadReport.percentile(50, of: []) == 0)
    }

    @Test(
        "Numbers have as many places as they are to have",
        arguments: [(0.0, 2, "0.00"), (1.005, 1, "1.0"), (12.5, 0, "13"), (3.999, 2, "4.00"), (0.05, 3, "0.050")])
    func places(value: Double, places: Int, text: String) { #expect(decimal(value, places) == text) }
}
