internal import UseCases

/// One step from a schema to the next. What has been released is never edited: a change is a new step.
struct Migration {
    let number: Int
    let name: String
    /// Statements, run in one transaction.
    let script: String

    static let all = [rooms, dueRooms, push, leasesInMemory]
}

extension Connection {
    /// Brings the schema to the newest version, each step in a transaction of its own.
    ///
    /// - Parameter migrations: all that there are, in order.
    func migrate(by migrations: [Migration] = Migration.all) throws(StoreError) {
        try transaction { () throws(StoreError) in
            try run(
                """
                CREATE TABLE IF NOT EXISTS migration (
                  number INTEGER PRIMARY KEY,
                  name TEXT NOT NULL,
                  applied_at TEXT NOT NULL
                ) STRICT
                """)
            try run(script: "PRAGMA application_id = \(Schema.applicationID)")
        }
        let current = try schemaVersion()
        for migration in migrations where migration.number > current {
            try transaction { () throws(StoreError) in
                try run(script: migration.script)
                try run(
                    """
                    INSERT INTO migration (number, name, applied_at)
                    VALUES (\(migration.number), \(migration.name), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                    """)
            }
        }
    }

    func schemaVersion() throws(StoreError) -> Int {
        try first("SELECT coalesce(max(number), 0) FROM migration") { $0.integer() } ?? 0
    }
}
