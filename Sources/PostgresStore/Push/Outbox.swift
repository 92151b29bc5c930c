public import MenuGame
public import UseCases

extension PostgresStore: PushOutbox {
    /// Writes only where something is due.
    public func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease {
        var waiting = try read { connection throws(StoreError) in
            try connection.waiting(service, at: now, limit: limit, within: limits.read)
        }
        guard !waiting.toLookUp.isEmpty || !waiting.due.isEmpty else { return PushLease(messages: [], nextDueAt: waiting.nextDueAt) }
        return try write { connection throws(StoreError) in
            if !waiting.toLookUp.isEmpty {
                try connection.lookUp(waiting.toLookUp, at: now, within: limits)
                waiting = try connection.waiting(service, at: now, limit: limit, within: limits.write)
            }
            let messages = try connection.take(waiting.due, service, at: now, until: end, within: limits.write)
            if !messages.isEmpty {
                do throws(StoreError) { waiting = try connection.waiting(service, at: now, limit: 1, within: limits.write) } catch {
                    // What has been taken is given out: nobody would have it before its lease is over.
                    return PushLease(messages: messages, nextDueAt: now)
                }
            }
            return PushLease(messages: messages, nextDueAt: waiting.toLookUp.isEmpty ? waiting.nextDueAt : now)
        }
    }

    public func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError) {
        try write { connection throws(StoreError) in
            let found = try connection.run(AllShards.roomsToWarn(expiringBefore: end, at: now, limit: limit), within: limits.write)
            let rooms = found.all { $0.identifier() }.sorted()
            if !rooms.isEmpty { try connection.warn(rooms, at: now, within: limits) }
        }
    }

    public func settle(_ settlements: [PushSettlement]) throws(StoreError) {
        try write { connection throws(StoreError) in
            _ = try connection.write(SettlementPlan(settlements).statements, within: limits.write)
        }
    }
}

/// What there is to be sent.
private struct Waiting {
    var nextDueAt: Instant?
    /// Rooms of which the devices are still to be looked up.
    var toLookUp: [Identifier]
    /// The longest due first.
    var due: [(room: Identifier, device: Int64)]
}

extension Connection {
    private static let noticesPerLookUp = 32

    fileprivate func waiting(_ service: PushService, at now: Instant, limit: Int, within time: Duration) throws(StoreError) -> Waiting {
        let found = try run(
            [
                AllShards.nextMessage(service), AllShards.noticesToLookUp(limit: Self.noticesPerLookUp),
                AllShards.dueMessages(service, at: now, limit: limit),
            ], within: time)
        guard found.count == 3 else { throw abandon("an answer is missing") }
        return Waiting(
            nextDueAt: found[0].first { row in row.optional { $0.instant() } } ?? nil, toLookUp: found[1].all { $0.identifier() },
            due: found[2].all { ($0.identifier(), $0.integer64()) })
    }

    /// Takes what is due, and clears away what is of an older stage or of a device that is gone.
    fileprivate func take(
        _ due: [(room: Identifier, device: Int64)], _ service: PushService, at now: Instant, until end: Instant, within time: Duration
    ) throws(StoreError) -> [PushMessage] {
        guard !due.isEmpty else { return [] }
        let devices = Dictionary(grouping: due, by: \.room).mapValues { $0.map(\.device) }
        let results = try write(
            devices.sorted { $0.key < $1.key }.flatMap { room, devices -> [SQL] in
                let due: SQL = """
                    SELECT device FROM push_message
                    WHERE room_id = \(room) AND device = ANY(\(devices)) AND service = \(service.rawValue) AND due_at <= \(now)
                    ORDER BY device FOR UPDATE SKIP LOCKED
                    """
                return [.take(due, in: room, until: end), .clear(due, in: room)]
            }, within: time)
        let messages = try results.all { row throws(StoreError) in try row.pushMessage() }
        let places = Dictionary(due.enumerated().map { ("\($1.room) \($1.device)", $0) }) { first, _ in first }
        return messages.sorted { one, other in
            let (first, second) = (places["\(one.id.room) \(one.id.registration)"], places["\(other.id.room) \(other.id.registration)"])
            return first ?? 0 < second ?? 0
        }
    }
}

extension SQL {
    fileprivate static func take(_ due: SQL, in room: Identifier, until end: Instant) -> SQL {
        """
        WITH due AS (\(due))
        UPDATE push_message SET due_at = \(end), leased = push_message.position
        FROM due, push_notice, device
        WHERE push_message.room_id = \(room) AND push_message.device = due.device AND push_notice.room_id = \(room)
          AND device.key = due.device AND push_message.position = push_notice.position
        RETURNING device.key, device.platform, device.push_token, device.language, device.registered_at, push_message.attempts,
          push_notice.room_id, push_notice.sequence, push_notice.stage, push_notice.phase, push_notice.members,
          push_notice.submissions, push_notice.at, push_notice.expires_at
        """
    }

    /// Deletes what is still due when the rest is taken. What another server has put in its place since this statement began is not old: it
    /// is locked as it is now, and the notice and the device are read as they were then.
    fileprivate static func clear(_ due: SQL, in room: Identifier) -> SQL {
        """
        DELETE FROM push_message
        WHERE room_id = \(room) AND device IN (\(due))
          AND position < coalesce(
            (SELECT push_notice.position FROM push_notice JOIN device ON device.key = push_message.device
            WHERE push_notice.room_id = \(room)), 9223372036854775807)
        """
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
