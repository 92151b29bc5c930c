public import MenuGame
public import UseCases

extension SQLiteStore: PushRegistry {
    /// What changes nothing costs no sync.
    public func apply(_ changes: [PushRegistryChange]) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                for change in changes {
                    switch change {
                    case .register(let device): try connection.register(device)
                    case .unregister(let owner): try connection.run("DELETE FROM device WHERE owner = \(owner)")
                    }
                }
            }
        }
    }

    public func deleteIdle(at now: Instant, limit: Int) throws(StoreError) -> Int {
        guard try read({ connection throws(StoreError) in try connection.hasIdle(at: now) }) else { return 0 }
        return try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in try connection.deleteIdle(at: now, limit: limit) }
        }
    }
}

extension Connection {
    fileprivate func register(_ device: PushDevice) throws(StoreError) {
        // Another owner's goes with all that waits for it: that is not for the new one.
        try run(
            """
            DELETE FROM device
            WHERE platform = \(device.platform.rawValue) AND push_token = \(device.pushToken) AND owner <> \(device.owner)
            """)
        // The shipped app's are registered with every game. Of Apple's it counts when they were registered last.
        let isNoted = device.platform == .fcm
        let changed = try run(
            """
            INSERT INTO device (owner, platform, push_token, language, room_id, registered_at, expires_at)
            VALUES (
              \(device.owner), \(device.platform.rawValue), \(device.pushToken), \(device.language.rawValue), \(device.room?.text), \(device.at),
              \(device.expiresAt))
            ON CONFLICT (platform, push_token) DO UPDATE SET
              language = excluded.language, room_id = excluded.room_id, registered_at = excluded.registered_at,
              expires_at = excluded.expires_at
            WHERE NOT \(isNoted) OR language <> excluded.language OR registered_at < excluded.registered_at - \(Bounds.registrationRenewal)
            """)
        guard changed > 0 else { return }
        try run(
            """
            DELETE FROM device WHERE key IN (
              SELECT key FROM device WHERE owner = \(device.owner) ORDER BY registered_at DESC, key DESC
              LIMIT -1 OFFSET \(Bounds.registrationsPerToken))
            """)
    }

    func devices() throws(StoreError) -> [PushDevice] {
        try all("SELECT owner, platform, push_token, language, room_id, registered_at, expires_at FROM device ORDER BY key") {
            row throws(StoreError) in
            PushDevice(
                owner: try row.tokenHash(), platform: try row.named(PushPlatform.self), pushToken: row.text(),
                language: try row.named(Language.self), room: row.optional { Identifier($0.text()) }, at: row.instant(),
                expiresAt: row.instant())
        }
    }

    fileprivate func hasIdle(at now: Instant) throws(StoreError) -> Bool {
        try first(
            """
            SELECT EXISTS (SELECT 1 FROM device WHERE expires_at <= \(now))
              OR EXISTS (SELECT 1 FROM push_notice WHERE expires_at <= \(now))
            """
        ) { $0.bool() } ?? false
    }

    fileprivate func deleteIdle(at now: Instant, limit: Int) throws(StoreError) -> Int {
        let notices = try run(
            """
            DELETE FROM push_notice WHERE room_id IN (
              SELECT room_id FROM push_notice WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit))
            """)
        let devices = try run(
            "DELETE FROM device WHERE key IN (SELECT key FROM device WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit))")
        return max(notices, devices)
    }
}
