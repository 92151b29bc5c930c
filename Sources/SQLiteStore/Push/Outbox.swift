public import MenuGame
public import UseCases

extension SQLiteStore: PushOutbox {
    /// Writes only where something is due: an idle server leaves its disk alone.
    public func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease {
        let (isDue, nextDueAt) = try read { connection throws(StoreError) in
            let nextDueAt = try connection.nextDueAt(service)
            return (try connection.hasToLookUp() || nextDueAt.map { $0 <= now } ?? false, nextDueAt)
        }
        guard isDue else { return PushLease(messages: [], nextDueAt: nextDueAt) }
        return try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try connection.lease(service, at: now, until: end, limit: limit)
            }
        }
    }

    public func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError) {
        guard try read({ connection throws(StoreError) in try connection.hasToWarn(expiringBefore: end, at: now) }) else { return }
        try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                try connection.warn(expiringBefore: end, at: now, limit: limit)
            }
        }
    }

    public func settle(_ settlements: [PushSettlement]) throws(StoreError) {
        try write { connection throws(StoreError) in
            try connection.transaction { () throws(StoreError) in
                for settlement in settlements { try connection.settle(settlement) }
            }
        }
    }
}

extension SQLiteStore {
    /// Whoever has the file has it alone: what another process has leased, which is no more, is due.
    func endLeases() throws(StoreError) {
        guard try read({ connection throws(StoreError) in try connection.hasLeases() }) else { return }
        _ = try write { connection throws(StoreError) in
            try connection.run("UPDATE push_message SET leased = NULL, due_at = 0 WHERE leased IS NOT NULL")
        }
    }
}

extension Connection {
    fileprivate func hasLeases() throws(StoreError) -> Bool {
        try first("SELECT 1 FROM push_message WHERE leased IS NOT NULL LIMIT 1") { _ in true } ?? false
    }

    fileprivate func nextDueAt(_ service: PushService) throws(StoreError) -> Instant? {
        try first("SELECT min(due_at) FROM push_message WHERE service = \(service.rawValue)") { row in
            row.optional { $0.instant() }
        } ?? nil
    }

    fileprivate func hasToLookUp() throws(StoreError) -> Bool {
        try first("SELECT 1 FROM push_notice WHERE looked_up IS NOT NULL LIMIT 1") { _ in true } ?? false
    }

    fileprivate func lease(
        _ service: PushService, at now: Instant, until end: Instant, limit: Int
    ) throws(StoreError) -> PushLease {
        var messages: [PushMessage] = []
        // So many look-ups at a time, so that nobody's commit waits for long.
        for _ in 0..<Self.lookUpsPerLease {
            messages += try take(service, at: now, until: end, limit: limit - messages.count)
            guard messages.count < limit, try lookUp(at: now) else { break }
        }
        return PushLease(messages: messages, nextDueAt: try hasToLookUp() ? now : nextDueAt(service))
    }

    private static var lookUpsPerLease: Int { 32 }
    private static var devicesPerLookUp: Int { 256 }

    private func take(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PushMessage] {
        guard limit > 0 else { return [] }
        let due = try all(
            """
            SELECT device.key, device.platform, device.push_token, device.language, device.registered_at, push_message.attempts,
              push_notice.room_id, push_notice.sequence, push_notice.stage, push_notice.phase, push_notice.members,
              push_notice.submissions, push_notice.at, push_notice.expires_at, push_message.position
            FROM push_message
              JOIN push_notice ON push_notice.room_id = push_message.room_id
              JOIN device ON device.key = push_message.device
            WHERE push_message.service = \(service.rawValue) AND push_message.due_at <= \(now)
            ORDER BY push_message.due_at LIMIT \(limit)
            """
        ) { row throws(StoreError) in
            (message: try row.pushMessage(), position: row.integer64())
        }
        var messages: [PushMessage] = []
        for (message, position) in due {
            let (room, device) = (message.notice.room, message.registration.id)
            if position == message.notice.order {
                try runOnOne(
                    """
                    UPDATE push_message SET due_at = \(end), leased = \(position) WHERE room_id = \(room) AND device = \(device)
                    """)
                messages.append(message)
            } else {
                // Of an older stage, which nobody is to be told any more.
                try runOnOne("DELETE FROM push_message WHERE room_id = \(room) AND device = \(device)")
            }
        }
        return messages
    }

    /// Makes messages of the notice that has waited longest, for some of the devices that are to be told.
    ///
    /// - Returns: whether there was one.
    private func lookUp(at now: Instant) throws(StoreError) -> Bool {
        let next = try first(
            """
            SELECT push_notice.room_id, position, stage, looked_up, room.key FROM push_notice LEFT JOIN room ON room.id = push_notice.room_id
            WHERE looked_up IS NOT NULL ORDER BY at LIMIT 1
            """
        ) { row throws(StoreError) in
            (
                id: Identifier(row.text()), position: row.integer64(), stage: try row.named(PushStage.self), lookedUp: row.integer64(),
                key: row.optional { $0.integer64() }
            )
        }
        guard let next else { return false }
        let audience = next.stage.audience == .nobody ? nil : next.key
        let devices = try all(
            """
            SELECT device.key, platform FROM member JOIN device ON device.owner = member.token_hash
            WHERE member.room = \(audience) AND device.room_id IS NULL AND device.key > \(next.lookedUp)
              AND (NOT \(next.stage.audience == .host) OR member.number = (SELECT host FROM room WHERE room.key = \(audience)))
            UNION ALL
            SELECT key, platform FROM device WHERE room_id = \(next.id) AND key > \(next.lookedUp)
            ORDER BY 1 LIMIT \(Self.devicesPerLookUp)
            """
        ) { row throws(StoreError) in (key: row.integer64(), platform: try row.named(PushPlatform.self)) }
        for device in devices {
            try run(
                """
                INSERT INTO push_message (room_id, device, service, position, due_at, attempts)
                VALUES (\(next.id), \(device.key), \(device.platform.service.rawValue), \(next.position), \(now), 0)
                ON CONFLICT (room_id, device) DO UPDATE SET
                  position = excluded.position, attempts = 0, due_at = iif(leased IS NULL, excluded.due_at, due_at)
                """)
        }
        let last = devices.count < Self.devicesPerLookUp ? nil : devices.last?.key
        try runOnOne("UPDATE push_notice SET looked_up = \(last) WHERE room_id = \(next.id)")
        return true
    }

    fileprivate func settle(_ settlement: PushSettlement) throws(StoreError) {
        let message = settlement.message
        let (room, device) = (message.room, message.registration)
        if case .gone(let registeredAt) = settlement.verdict {
            // One that was renewed meanwhile is told again when the lease is over.
            try run("DELETE FROM device WHERE key = \(device) AND registered_at <= \(registeredAt)")
            return
        }
        let position = try first(
            "SELECT position FROM push_message WHERE room_id = \(room) AND device = \(device) AND leased = \(message.order)"
        ) { $0.integer64() }
        guard let position else { return }
        guard position == message.order else {
            // A newer one waits for the end of this.
            try runOnOne("UPDATE push_message SET leased = NULL, due_at = 0 WHERE room_id = \(room) AND device = \(device)")
            return
        }
        if case .again(let at, let attempts) = settlement.verdict {
            try runOnOne(
                """
                UPDATE push_message SET leased = NULL, due_at = \(at), attempts = \(attempts) WHERE room_id = \(room) AND device = \(device)
                """)
        } else {
            try runOnOne("DELETE FROM push_message WHERE room_id = \(room) AND device = \(device)")
        }
    }
}

extension Row {
    fileprivate mutating func pushMessage() throws(StoreError) -> PushMessage {
        let registration = PushRegistration(
            id: integer64(), platform: try named(PushPlatform.self), pushToken: text(), language: try named(Language.self),
            registeredAt: instant())
        let attempts = integer()
        let notice = PushNotice(
            room: Identifier(text()), sequence: integer(), stage: try named(PushStage.self), phase: try named(Room.Phase.self),
            memberCount: integer(), submissionCount: integer(), at: instant(), expiresAt: instant())
        return PushMessage(registration: registration, notice: notice, attempts: attempts)
    }

    mutating func named<Name: RawRepresentable>(_ type: Name.Type) throws(StoreError) -> Name where Name.RawValue == String {
        let text = text()
        guard let name = Name(rawValue: text) else { throw StoreError("database: there is no \(type) of that name") }
        return name
    }
}
