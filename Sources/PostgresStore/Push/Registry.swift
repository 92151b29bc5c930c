public import MenuGame
public import UseCases

extension PostgresStore: PushRegistry {
    public func apply(_ changes: [PushRegistryChange]) throws(StoreError) {
        try write { connection throws(StoreError) in
            _ = try connection.write(DeviceChanges(changes).statements, within: limits.write)
        }
    }

    public func deleteIdle(at now: Instant, limit: Int) throws(StoreError) -> Int {
        try write { connection throws(StoreError) in
            let found = try connection.run(
                [
                    AllShards.expiredNotices(at: now, limit: limit),
                    "SELECT key FROM device WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit)",
                ], within: limits.write)
            guard found.count == 2 else { throw connection.abandon("an answer is missing") }
            let rooms = found[0].all { $0.identifier() }.sorted()
            let devices = found[1].all { $0.integer64() }
            guard !rooms.isEmpty || !devices.isEmpty else { return 0 }
            let notices: [SQL] = rooms.map { room in
                """
                DELETE FROM push_notice WHERE room_id = \(room) AND room_id = (
                  SELECT room_id FROM push_notice WHERE room_id = \(room) AND expires_at <= \(now) FOR UPDATE SKIP LOCKED)
                """
            }
            let results = try connection.write(
                notices + [.lock(devices), "DELETE FROM device WHERE key = ANY(\(devices)) AND expires_at <= \(now)"], within: limits.write)
            let deleted = results.map(\.affected)
            return max(deleted.prefix(rooms.count).reduce(0, +), deleted.last ?? 0)
        }
    }
}

extension SQL {
    /// Has devices to ourselves, in the one order in which they are locked (`DeviceChanges`).
    static func lock(_ devices: [Int64]) -> SQL {
        "SELECT key FROM device WHERE key = ANY(\(devices)) ORDER BY platform, push_token FOR UPDATE"
    }
}
