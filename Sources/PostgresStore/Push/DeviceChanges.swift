internal import MenuGame
internal import UseCases

/// What changes of devices come to in the end, as statements that lock in one order, whatever order the changes came in: so two servers
/// that are told of the same devices at once wait for one another and never both.
///
/// An owner whose devices are forgotten has none but those registered after that; a push token is its last owner's, if at all.
struct DeviceChanges {
    private struct Name: Hashable, Comparable {
        let platform: String
        let pushToken: String

        static func < (one: Name, other: Name) -> Bool {
            (one.platform, one.pushToken) < (other.platform, other.pushToken)
        }
    }

    /// The last to register each.
    private var last: [Name: PushDevice] = [:]
    /// Those that are forgotten again, whoever has them.
    private var forgotten: Set<Name> = []
    private var unregistered: Set<TokenHash> = []

    init(_ changes: [PushRegistryChange]) {
        for change in changes {
            switch change {
            case .register(let device):
                let name = Name(platform: device.platform.rawValue, pushToken: device.pushToken)
                last[name] = device
                forgotten.remove(name)
            case .unregister(let owner):
                unregistered.insert(owner)
                for (name, device) in last where device.owner == owner { forgotten.insert(name) }
            }
        }
    }

    var statements: [SQL] {
        let (names, gone, registered) = (last.keys.sorted(), forgotten.sorted(), last.filter { !forgotten.contains($0.key) })
        let devices = names.compactMap { registered[$0] }
        let owners = Set(devices.map(\.owner))
        return [lock(names, owners.union(unregistered)), deleteUnregistered, deleteForgotten(gone), deleteOthers(devices)]
            + devices.map(\.keep) + owners.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.deleteSurplus)
    }

    /// Locks all that is deleted or changed below.
    private func lock(_ names: [Name], _ owners: Set<TokenHash>) -> SQL {
        """
        SELECT key FROM device
        WHERE key IN (
          SELECT key FROM device WHERE owner = ANY(\(Array(owners)))
          UNION ALL
          SELECT key FROM device JOIN unnest(\(names.map(\.platform)), \(names.map(\.pushToken))) AS said (platform, push_token)
            USING (platform, push_token))
        ORDER BY platform, push_token FOR UPDATE
        """
    }

    private var deleteUnregistered: SQL { "DELETE FROM device WHERE owner = ANY(\(Array(unregistered)))" }

    private func deleteForgotten(_ names: [Name]) -> SQL {
        """
        DELETE FROM device
        USING unnest(\(names.map(\.platform)), \(names.map(\.pushToken))) AS said (platform, push_token)
        WHERE device.platform = said.platform AND device.push_token = said.push_token
        """
    }

    /// Another owner's goes with all that waits for it: that is not for the new one.
    private func deleteOthers(_ devices: [PushDevice]) -> SQL {
        """
        DELETE FROM device
        USING unnest(\(devices.map(\.platform.rawValue)), \(devices.map(\.pushToken)), \(devices.map(\.owner)))
          AS said (platform, push_token, owner)
        WHERE device.platform = said.platform AND device.push_token = said.push_token AND device.owner <> said.owner
        """
    }
}

extension PushDevice {
    /// The shipped app's are registered with every game. Of Apple's it counts when they were registered last.
    fileprivate var keep: SQL {
        """
        INSERT INTO device (key, owner, platform, push_token, language, room_id, registered_at, expires_at)
        VALUES (
          \(Int64.random(in: 1...Int64.max)), \(owner), \(platform.rawValue), \(pushToken), \(language.rawValue), \(room?.text),
          \(at), \(expiresAt))
        ON CONFLICT (platform, push_token) DO UPDATE SET
          language = excluded.language, room_id = excluded.room_id, registered_at = excluded.registered_at,
          expires_at = excluded.expires_at
        WHERE NOT \(platform == .fcm) OR device.language <> excluded.language
          OR device.registered_at < excluded.registered_at - \(Bounds.registrationRenewal)
        """
    }
}

extension TokenHash {
    fileprivate var deleteSurplus: SQL {
        """
        DELETE FROM device WHERE key IN (
          SELECT key FROM device WHERE owner = \(self) ORDER BY registered_at DESC, key DESC OFFSET \(Bounds.registrationsPerToken))
        """
    }
}
