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
            try connection.write(
                [
                    """
                    DELETE FROM push_notice WHERE room_id IN (
                      SELECT room_id FROM push_notice WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                    """,
                    """
                    DELETE FROM device WHERE key IN (
                      SELECT key FROM device WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                    """,
                ], within: limits.write
            ).map(\.affected).max() ?? 0
        }
    }
}
