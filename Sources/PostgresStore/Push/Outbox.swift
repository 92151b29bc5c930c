public import MenuGame
public import UseCases

extension PostgresStore: PushOutbox {
    /// Writes only where something is due.
    public func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease {
        let waiting = try read { connection throws(StoreError) in
            try connection.run(.waiting(service), within: limits.read).waiting()
        }
        guard waiting.hasToLookUp || waiting.nextDueAt.map({ $0 <= now }) ?? false else {
            return PushLease(messages: [], nextDueAt: waiting.nextDueAt)
        }
        return try write { connection throws(StoreError) in
            let results = try connection.write(
                [.lookUp(at: now), .take(service, at: now, until: end, limit: limit), .waiting(service)], within: limits.write)
            let messages = try results.dropFirst().first?.all { row throws(StoreError) in try row.pushMessage() } ?? []
            let left = results.last?.waiting()
            return PushLease(messages: messages, nextDueAt: left?.hasToLookUp == true ? now : left?.nextDueAt)
        }
    }

    public func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError) {
        try write { connection throws(StoreError) in
            _ = try connection.write([.warn(expiringBefore: end, at: now, limit: limit)], within: limits.write)
        }
    }

    public func settle(_ settlements: [PushSettlement]) throws(StoreError) {
        let gone = settlements.compactMap { settlement in settlement.goneSince.map { (settlement.message.registration, $0.milliseconds) } }
        let rest = settlements.filter { $0.goneSince == nil }
        try write { connection throws(StoreError) in
            _ = try connection.write(
                [
                    .lock(settlements.map(\.message)),
                    // One that was renewed meanwhile is told again when the lease is over.
                    """
                    DELETE FROM device USING unnest(\(gone.map(\.0)), \(gone.map(\.1))) AS said (key, registered_at)
                    WHERE device.key = said.key AND device.registered_at <= said.registered_at
                    """,
                    """
                    DELETE FROM push_message WHERE device = ANY(\(gone.map(\.0)))
                      AND NOT EXISTS (SELECT FROM device WHERE device.key = push_message.device)
                    """,
                    .end(rest.filter { $0.again == nil }.map(\.message)),
                    .letGo(rest),
                ], within: limits.write)
        }
    }
}

extension SQL {
    private static let noticesPerLookUp = 32
    private static let devicesPerLookUp = 256

    /// When the next message of a service is due, and whether there are notices whose devices are still to be looked up.
    fileprivate static func waiting(_ service: PushService) -> SQL {
        """
        SELECT (SELECT min(due_at) FROM push_message WHERE service = \(service.rawValue)),
          EXISTS (SELECT FROM push_notice WHERE looked_up IS NOT NULL)
        """
    }

    /// Makes messages of the notices that have waited longest, for some of the devices that are to be told.
    fileprivate static func lookUp(at now: Instant) -> SQL {
        let toMembers = PushStage.allCases.filter { $0.audience == .members }.map(\.rawValue)
        let toHosts = PushStage.allCases.filter { $0.audience == .host }.map(\.rawValue)
        return """
            WITH notice AS (
                SELECT room_id, position, stage, looked_up FROM push_notice
                WHERE looked_up IS NOT NULL ORDER BY at LIMIT \(noticesPerLookUp) FOR UPDATE SKIP LOCKED),
              found AS (
                SELECT notice.room_id, notice.position, next.key, next.platform FROM notice CROSS JOIN LATERAL (
                  SELECT device.key, device.platform FROM member JOIN device ON device.owner = member.token_hash
                  WHERE member.room = notice.room_id AND device.room_id IS NULL AND device.key > notice.looked_up
                    AND (notice.stage = ANY(\(toMembers)) OR notice.stage = ANY(\(toHosts))
                      AND member.number = (SELECT host FROM room WHERE room.id = notice.room_id))
                  UNION ALL
                  SELECT device.key, device.platform FROM device WHERE device.room_id = notice.room_id AND device.key > notice.looked_up
                  ORDER BY key LIMIT \(devicesPerLookUp)) AS next),
              made AS (
                INSERT INTO push_message (room_id, device, service, position, due_at, attempts)
                SELECT room_id, key, CASE platform WHEN \(PushPlatform.fcm.rawValue) THEN \(PushService.fcm.rawValue)
                  ELSE \(PushService.apns.rawValue) END, position, \(now), 0
                FROM found ORDER BY room_id, key
                ON CONFLICT (room_id, device) DO UPDATE SET
                  position = excluded.position, attempts = 0,
                  due_at = CASE WHEN push_message.leased IS NULL THEN excluded.due_at ELSE push_message.due_at END)
            UPDATE push_notice SET looked_up = progress.last
            FROM (
              SELECT notice.room_id, CASE WHEN count(found.key) >= \(devicesPerLookUp) THEN max(found.key) END AS last
              FROM notice LEFT JOIN found ON found.room_id = notice.room_id GROUP BY notice.room_id) AS progress
            WHERE push_notice.room_id = progress.room_id
            """
    }

    /// Takes what is due, and clears away what is of an older stage or of a device that is gone.
    fileprivate static func take(_ service: PushService, at now: Instant, until end: Instant, limit: Int) -> SQL {
        """
        WITH due AS (
            SELECT room_id, device FROM push_message
            WHERE service = \(service.rawValue) AND due_at <= \(now) ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED),
          taken AS (
            UPDATE push_message SET due_at = \(end), leased = push_message.position
            FROM due JOIN push_notice ON push_notice.room_id = due.room_id JOIN device ON device.key = due.device
            WHERE push_message.room_id = due.room_id AND push_message.device = due.device
              AND push_message.position = push_notice.position
            RETURNING device.key, device.platform, device.push_token, device.language, device.registered_at, push_message.attempts,
              push_notice.room_id, push_notice.sequence, push_notice.stage, push_notice.phase, push_notice.members,
              push_notice.submissions, push_notice.at, push_notice.expires_at),
          cleared AS (
            DELETE FROM push_message USING due
            WHERE push_message.room_id = due.room_id AND push_message.device = due.device
              AND NOT EXISTS (SELECT FROM taken WHERE taken.room_id = due.room_id AND taken.key = due.device)
              -- What another server has put in its place since this statement began is not old. It is locked as it is now, and the notice
              -- and the device are read as they were then.
              AND push_message.position < coalesce(
                (SELECT push_notice.position FROM push_notice JOIN device ON device.key = push_message.device
                WHERE push_notice.room_id = push_message.room_id), 9223372036854775807))
        SELECT * FROM taken
        """
    }

    /// Has messages to ourselves, in the order in which they are written when they are looked up.
    fileprivate static func lock(_ messages: [PushMessage.ID]) -> SQL {
        """
        SELECT FROM push_message JOIN unnest(\(messages.map(\.room)), \(messages.map(\.registration))) AS said (room_id, device)
          USING (room_id, device)
        ORDER BY push_message.room_id, push_message.device FOR UPDATE OF push_message
        """
    }

    /// Deletes messages that go out no more, unless a newer one has taken their place.
    fileprivate static func end(_ messages: [PushMessage.ID]) -> SQL {
        """
        DELETE FROM push_message
        USING unnest(\(messages.map(\.room)), \(messages.map(\.registration)), \(messages.map(\.order))) AS said (room, device, position)
        WHERE push_message.room_id = said.room AND push_message.device = said.device
          AND push_message.leased = said.position AND push_message.position = said.position
        """
    }

    /// Ends the leases of the others: those that go out again do so when they are told, and a newer one in their place at once.
    fileprivate static func letGo(_ settlements: [PushSettlement]) -> SQL {
        let messages = settlements.map(\.message)
        return """
            UPDATE push_message SET
              leased = NULL, due_at = CASE WHEN push_message.position = said.position THEN said.due_at ELSE 0 END,
              attempts = CASE WHEN push_message.position = said.position THEN said.attempts ELSE push_message.attempts END
            FROM unnest(
              \(messages.map(\.room)), \(messages.map(\.registration)), \(messages.map(\.order)),
              \(settlements.map { $0.again?.at.milliseconds ?? 0 }), \(settlements.map { Int64($0.again?.attempts ?? 0) }))
              AS said (room, device, position, due_at, attempts)
            WHERE push_message.room_id = said.room AND push_message.device = said.device AND push_message.leased = said.position
            """
    }
}

extension PushSettlement {
    /// As of when the device is no longer there; `nil` where it is.
    fileprivate var goneSince: Instant? { if case .gone(let registeredAt) = verdict { registeredAt } else { nil } }

    /// When it goes out again, after how many attempts; `nil` where it does not.
    fileprivate var again: (at: Instant, attempts: Int)? {
        if case .again(let at, let attempts) = verdict { (at, attempts) } else { nil }
    }
}

extension Rows {
    fileprivate func waiting() -> (nextDueAt: Instant?, hasToLookUp: Bool) {
        first { row in (row.optional { $0.instant() }, row.bool()) } ?? (nil, false)
    }
}

extension Row {
    fileprivate mutating func pushMessage() throws(StoreError) -> PushMessage {
        let registration = PushRegistration(
            id: integer64(), platform: try named(PushPlatform.self), pushToken: text(), language: try named(Language.self),
            registeredAt: instant())
        let attempts = integer()
        let notice = PushNotice(
            room: identifier(), sequence: integer(), stage: try named(PushStage.self), phase: try named(Room.Phase.self),
            memberCount: integer(), submissionCount: integer(), at: instant(), expiresAt: instant())
        return PushMessage(registration: registration, notice: notice, attempts: attempts)
    }

    mutating func named<Name: RawRepresentable>(_ type: Name.Type) throws(StoreError) -> Name where Name.RawValue == String {
        guard let name = Name(rawValue: text()) else { throw StoreError("database: there is no \(type) of that name") }
        return name
    }
}
