public import MenuGame
public import UseCases

extension PostgresStore: PushRegistry {
    public func apply(_ changes: [PushRegistryChange]) throws(StoreError) {
        try write { connection throws(StoreError) in
            _ = try connection.write(changes.flatMap(\.statements), within: limits.write)
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

extension PushRegistryChange {
    /// Milliseconds after which it is noted again that a device is still there.
    private static var renewal: Int64 { 24 * 60 * 60 * 1000 }

    fileprivate var statements: [SQL] {
        switch self {
        case .unregister(let owner): ["DELETE FROM device WHERE owner = \(owner)"]
        case .register(let device):
            [
                // Another owner's goes with all that waits for it: that is not for the new one.
                """
                DELETE FROM device
                WHERE platform = \(device.platform.rawValue) AND push_token = \(device.pushToken) AND owner <> \(device.owner)
                """,
                // The shipped app's are registered with every game. Of Apple's it counts when they were registered last.
                """
                INSERT INTO device (key, owner, platform, push_token, language, room_id, registered_at, expires_at)
                VALUES (
                  \(Int64.random(in: 1...Int64.max)), \(device.owner), \(device.platform.rawValue), \(device.pushToken), \(device.language.rawValue), \(device.room?.text),
                  \(device.at), \(device.expiresAt))
                ON CONFLICT (platform, push_token) DO UPDATE SET
                  language = excluded.language, room_id = excluded.room_id, registered_at = excluded.registered_at,
                  expires_at = excluded.expires_at
                WHERE NOT \(device.platform == .fcm) OR device.language <> excluded.language
                  OR device.registered_at < excluded.registered_at - \(Self.renewal)
                """,
                """
                DELETE FROM device WHERE key IN (
                  SELECT key FROM device WHERE owner = \(device.owner) ORDER BY registered_at DESC, key DESC
                  OFFSET \(Bounds.registrationsPerToken))
                """,
            ]
        }
    }
}
