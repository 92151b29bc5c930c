import Foundation
import TestSupport

/// What a server tells Prometheus, read as Prometheus reads it.
struct Scrape {
    let text: String
    /// The values by their series, labels and all.
    let values: [String: Double]
    /// The names of the families.
    let names: Set<String>

    /// Asks the operator's listener of a server on this machine.
    init(port: Int) async throws {
        let answer = try await WireClient(port: port).send("GET", "/metrics")
        guard answer.status == 200 else { throw Unexpected(answer: answer) }
        self.init(answer.text)
    }

    init(_ text: String) {
        self.text = text
        let lines = text.split(separator: "\n")
        names = Set(lines.filter { $0.hasPrefix("# TYPE ") }.map { String($0.split(separator: " ")[2]) })
        values = Dictionary(
            lines.filter { !$0.hasPrefix("#") }.map { line in
                let space = line.lastIndex(of: " ") ?? line.startIndex
                return (String(line[..<space]), Double(line[line.index(after: space)...]) ?? .nan)
            }, uniquingKeysWith: { _, _ in .nan })
    }

    subscript(series: String) -> Double? { values[series] }
}

/// Prometheus' own tool, which Debian has in its package `prometheus`.
enum Promtool {
    static let path = "/usr/bin/promtool"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
}
