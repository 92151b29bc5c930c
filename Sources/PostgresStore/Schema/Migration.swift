internal import UseCases

/// One step from a schema to the next. What has been released is never edited: a change is a new step.
struct Migration {
    let number: Int
    let name: String
    /// Statements, run in one transaction.
    let script: String

    static let all = [rooms, push, owners]
}

extension Connection {
    /// Brings the schema to the newest version, each step in a transaction of its own. Servers that start at the same time take turns.
    ///
    /// - Parameter migrations: all that there are, in order.
    /// - Throws: also where the schema is a newer version's; then nothing is changed.
    func migrate(by migrations: [Migration] = Migration.all, within limits: TimeLimits) throws(StoreError) {
        let known = migrations.last?.number ?? 0
        while try schemaVersion(within: limits.read) < known {
            try run(
                script: "\(SQL.begin.text); SELECT pg_advisory_xact_lock(hashtextextended('hansang ' || current_schema(), 0))",
                within: limits.migration)
            do throws(StoreError) {
                // What another server has done meanwhile is not done again.
                let current = try schemaVersion(within: limits.read)
                if let next = migrations.first(where: { $0.number > current }) { try apply(next, within: limits.migration) }
                try run(script: "COMMIT", within: limits.migration)
            } catch {
                rollBack(within: limits.read)
                throw error
            }
        }
        let version = try schemaVersion(within: limits.read)
        guard version <= known else {
            throw StoreError("\(uri): the schema is version \(version); this program is older and knows \(known)")
        }
    }

    private func apply(_ migration: Migration, within limit: Duration) throws(StoreError) {
        try run(
            script: """
                CREATE TABLE IF NOT EXISTS migration (number bigint PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())
                """, within: limit)
        try run(script: migration.script, within: limit)
        try run("INSERT INTO migration (number, name) VALUES (\(migration.number), \(migration.name))", within: limit)
    }

    /// 0 where there is nothing yet.
    func schemaVersion(within limit: Duration) throws(StoreError) -> Int {
        // In the schema where tables are made, and in no other that search_path names.
        let exists = try run(
            "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'migration')", within: limit
        ).first { $0.bool() }
        guard exists == true else { return 0 }
        return try run("SELECT coalesce(max(number), 0) FROM migration", within: limit).first { $0.integer() } ?? 0
    }
}
