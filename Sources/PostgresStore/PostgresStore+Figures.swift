public import MenuGame
public import UseCases

extension PostgresStore: MeasuredStore {
    /// Of all servers together: the rooms by the index of their ends, and the whole database by PostgreSQL's own account.
    public func figures(at now: Instant) throws(StoreError) -> StoreFigures {
        try read { connection throws(StoreError) in
            let rooms = try connection.run(AllShards.roomCount(at: now), within: limits.read).first {
                $0.integer()
            }
            let bytes = try connection.run("SELECT pg_database_size(current_database())", within: limits.read).first { $0.integer() }
            var push: [(PushService, Int)] = []
            for service in PushService.allCases {
                let count = try connection.run(AllShards.messageCount(of: service), within: limits.read).first { $0.integer() }
                push.append((service, count ?? 0))
            }
            return StoreFigures(rooms: rooms ?? 0, bytes: [("database", bytes ?? 0)], push: push)
        }
    }
}
