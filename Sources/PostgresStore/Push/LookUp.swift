internal import MenuGame
internal import UseCases

// Whom a notice is for is looked up when it is sent, some devices at a time, and not with the change that it tells of.
extension Connection {
    /// Makes messages of notices for some of the devices that are to be told. Each is looked up by one server at a time.
    func lookUp(_ rooms: [Identifier], at now: Instant, within limits: TimeLimits) throws(StoreError) {
        let rooms = rooms.sorted()
        try write(taking: rooms.flatMap { [.lockNotice($0), .devices(for: $0)] }, within: limits) { results in
            zip(rooms, stride(from: 0, to: results.count, by: 2)).flatMap { room, start -> [SQL] in
                // Somebody else is at it.
                guard results[start].count > 0 else { return [] }
                let devices = results[start + 1].all { row in (key: row.integer64(), platform: row.text()) }
                return [.makeMessages(room, devices, at: now), .note(room, lookedUp: devices.map(\.key))]
            }
        }
    }
}

extension SQL {
    private static let devicesPerLookUp = 256

    fileprivate static func lockNotice(_ room: Identifier) -> SQL {
        "SELECT room_id FROM push_notice WHERE room_id = \(room) AND looked_up IS NOT NULL FOR UPDATE SKIP LOCKED"
    }

    /// The next that are to be told what stands in the room's notice, by their keys.
    fileprivate static func devices(for room: Identifier) -> SQL {
        let toMembers = PushStage.allCases.filter { $0.recipients == .members }.map(\.rawValue)
        let toHosts = PushStage.allCases.filter { $0.recipients == .host }.map(\.rawValue)
        return """
            SELECT device.key, device.platform
            FROM push_notice JOIN member ON member.room = \(room) JOIN device ON device.owner = member.token_hash
            WHERE push_notice.room_id = \(room) AND device.room_id IS NULL AND device.key > push_notice.looked_up
              AND (push_notice.stage = ANY(\(toMembers)) OR push_notice.stage = ANY(\(toHosts))
                AND member.number = (SELECT host FROM room WHERE room.id = \(room)))
            UNION ALL
            SELECT device.key, device.platform FROM push_notice JOIN device ON device.room_id = \(room)
            WHERE push_notice.room_id = \(room) AND device.key > push_notice.looked_up
            ORDER BY key LIMIT \(devicesPerLookUp)
            """
    }

    fileprivate static func makeMessages(_ room: Identifier, _ devices: [(key: Int64, platform: String)], at now: Instant) -> SQL {
        """
        INSERT INTO push_message (room_id, device, service, position, due_at, attempts)
        SELECT push_notice.room_id, found.device,
          CASE found.platform WHEN \(PushPlatform.fcm.rawValue) THEN \(PushService.fcm.rawValue) ELSE \(PushService.apns.rawValue) END,
          push_notice.position, \(now), 0
        FROM push_notice CROSS JOIN unnest(\(devices.map(\.key)), \(devices.map(\.platform))) AS found (device, platform)
        WHERE push_notice.room_id = \(room)
        ORDER BY found.device
        ON CONFLICT (room_id, device) DO UPDATE SET
          position = excluded.position, attempts = 0,
          due_at = CASE WHEN push_message.leased IS NULL THEN excluded.due_at ELSE push_message.due_at END
        """
    }

    /// Where there may be more, the rest is looked up behind the last of them.
    fileprivate static func note(_ room: Identifier, lookedUp devices: [Int64]) -> SQL {
        let last = devices.count >= devicesPerLookUp ? devices.last : nil
        return "UPDATE push_notice SET looked_up = \(last) WHERE room_id = \(room)"
    }
}
