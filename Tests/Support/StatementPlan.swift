internal import Foundation

/// How PostgreSQL ran a statement on tables that are spread over `Shards`: which of them it went to, and what it did there.
public struct StatementPlan {
    public let statement: String
    /// Parts of tables that it read or changed, by the table that theirs is spread with and their number: `room_3`. Also those that it
    /// turned out not to need, for a cluster's planner does not know of that.
    public private(set) var shards: Set<String> = []
    /// Whether it locks rows.
    public private(set) var locks = false
    /// Tables that it puts rows into, with how many it put there.
    public private(set) var inserted: [(table: String, rows: Int)] = []
    /// Tables of which it changes rows or takes them out.
    public private(set) var changed: Set<String> = []

    /// - Parameter json: as `auto_explain` writes it.
    init(_ json: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        statement = object?["Query Text"] as? String ?? ""
        read(object?["Plan"] as? [String: Any] ?? [:])
    }

    private mutating func read(_ node: [String: Any]) {
        let (type, table) = (node["Node Type"] as? String ?? "", node["Relation Name"] as? String)
        let inner = node["Plans"] as? [[String: Any]] ?? []
        if type == "LockRows" { locks = true }
        if let table, type == "ModifyTable" {
            if node["Operation"] as? String == "Insert" {
                inserted.append((table, inner.first?["Actual Rows"] as? Int ?? 0))
            } else {
                changed.insert(table)
            }
        }
        let targets = (node["Target Tables"] as? [[String: Any]] ?? []).compactMap { $0["Relation Name"] as? String }
        shards.formUnion((targets + [table].compactMap(\.self)).compactMap(Self.shard))
        for node in inner { read(node) }
    }

    /// A part's table is named `member__room_3`.
    private static func shard(_ table: String) -> String? {
        table.range(of: "__").map { String(table[$0.upperBound...]) }
    }
}

extension StatementPlan {
    /// How a statement that reads from all parts begins.
    public static let mark = "/* all shards */"

    private var isMarked: Bool { statement.hasPrefix(Self.mark) }

    /// What a cluster would refuse of it, or make slow.
    ///
    /// - Parameter companies: see `Shards.layout`.
    func faults(_ companies: [String: String?]) -> [String] {
        var faults: [String] = []
        if isMarked {
            if locks || !changed.isEmpty || !inserted.isEmpty { faults.append("changes or locks something in all parts") }
        } else if shards.count > 1 {
            faults.append("goes to \(shards.sorted())")
        }
        for (table, rows) in inserted {
            guard let company = companies[table] ?? nil else { continue }
            // Where the rows of an insertion go does not stand in its plan. They go by the key of what is read for them, or there is one
            // row.
            if shards.isEmpty ? rows > 1 : shards.contains(where: { !$0.hasPrefix("\(company)_") }) {
                faults.append("reads in \(shards.sorted()) what it puts into \(table)")
            }
        }
        let everywhere = changed.union(inserted.map(\.table)).filter { companies[$0] == .some(nil) }
        if !everywhere.isEmpty, !shards.isEmpty { faults.append("reads in \(shards.sorted()) and changes \(everywhere.sorted())") }
        return faults
    }
}
