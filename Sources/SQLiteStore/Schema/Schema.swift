internal import UseCases

/// What tells this program's databases from others.
enum Schema {
    /// "HANS", as `file` and `PRAGMA application_id` show it.
    static let applicationID = 0x4841_4E53
}

extension Connection {
    /// Looks at a file without changing it: whether it may be used as this program's database.
    func identify(_ path: String) throws(StoreError) {
        let id = try first("PRAGMA application_id") { $0.integer() }
        let objects = try first("SELECT count(*) FROM sqlite_schema") { $0.integer() }
        if id == 0, objects == 0 { return }
        guard id == Schema.applicationID else { throw StoreError("\(path) is a database of another program") }
        let version = try schemaVersion()
        let known = Migration.all.map(\.number).max() ?? 0
        guard version <= known else {
            throw StoreError("the database \(path) has schema \(version); this program is older and knows \(known)")
        }
    }
}
