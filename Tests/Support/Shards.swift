internal import Foundation
public import Testing

extension PostgresServer {
    /// One that writes down the plan of each statement, once with the values that it is run with. It blocks until it has started, so a
    /// suite says `.explainsPostgres`.
    public static func explaining() throws -> PostgresServer { try explainingServer.get() }

    private static let explainingServer = Result {
        try PostgresServer([
            "session_preload_libraries=auto_explain", "auto_explain.log_min_duration=0", "auto_explain.log_analyze=on",
            "auto_explain.log_timing=off", "auto_explain.log_format=json", "plan_cache_mode=force_custom_plan", "log_line_prefix=[%a] ",
        ])
    }

    /// What it has written down since, of the connections whose name begins like this.
    fileprivate func plans(of application: String, since offset: UInt64) throws -> [StatementPlan] {
        let file = try FileHandle(forReadingFrom: log)
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        var texts: [String] = []
        var isPlan = false
        for line in lines {
            if line.first == "\t" {
                // What a message has beyond its first line.
                if isPlan { texts[texts.count - 1] += line.dropFirst() + "\n" }
            } else {
                isPlan = line.hasPrefix("[\(application)") && line.contains("] LOG:  duration:") && line.hasSuffix("plan:")
                if isPlan { texts.append("") }
            }
        }
        return try texts.map { try StatementPlan($0) }
    }

    /// Beside its data, where `postgres.py` has it.
    private var log: URL {
        get throws {
            let data = try run("SHOW data_directory").first ?? ""
            return URL(fileURLWithPath: data).deletingLastPathComponent().appendingPathComponent("log")
        }
    }

    fileprivate var logSize: UInt64 {
        get throws { (try FileManager.default.attributesOfItem(atPath: log.path)[.size] as? UInt64) ?? 0 }
    }
}

/// The tables of a schema spread over parts as `docker/citus.sql` has it, by PostgreSQL's own partitions, and what was then asked of them.
public final class Shards: Sendable {
    /// Says how tables are spread: each call for a table, in order.
    public static var script: String {
        get throws { try String(contentsOf: projectFolder.appendingPathComponent("docker/citus.sql"), encoding: .utf8) }
    }

    /// By which other table's parts those of a table go; `nil` for one that every server has.
    public static var layout: [(table: String, company: String?)] {
        get throws {
            try script.matches(of: /SELECT create_(?:distributed|reference)_table\('(\w+)'(?:, '\w+', colocate_with => '(\w+)')?\);/).map {
                match in
                let company = match.2.map(String.init)
                return (String(match.1), company == "none" ? String(match.1) : company)
            }
        }
    }

    private let schema: PostgresServer.Schema
    private let offset: UInt64

    /// - Parameter schema: of a server that is `explaining`, with tables that nobody uses just now.
    public init(_ schema: PostgresServer.Schema) throws {
        self.schema = schema
        let standIn = projectFolder.appendingPathComponent("Tests/Support/shards.sql")
        try schema.run(String(contentsOf: standIn, encoding: .utf8) + Self.script)
        offset = try schema.server.logSize
    }

    /// What has come since by the schema's own addresses.
    public func plans() throws -> [StatementPlan] { try schema.server.plans(of: schema.name, since: offset) }

    /// What a cluster would refuse, or make slow: statements that go to more than one part, but for those that say so and only read.
    public func faults() throws -> [String] {
        let companies = Dictionary(uniqueKeysWithValues: try Self.layout.map { ($0.table, $0.company) })
        let plans = try plans()
        guard !plans.isEmpty else { return ["no plans were found"] }
        var faults: Set<String> = []
        for plan in plans {
            for fault in plan.faults(companies) { faults.insert("\(fault): \(plan.statement)") }
        }
        return faults.sorted()
    }
}

/// Has the server that explains started before any of a suite's tests.
public struct ExplainingPostgres: SuiteTrait, TestTrait {
    public let isRecursive = false

    public func prepare(for test: Test) async throws { _ = try await onOwnThread { try PostgresServer.explaining() } }
}

extension Trait where Self == ExplainingPostgres {
    public static var explainsPostgres: ExplainingPostgres { ExplainingPostgres() }
}
