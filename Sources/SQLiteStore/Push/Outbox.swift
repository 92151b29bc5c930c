public import MenuGame
internal import Synchronization
public import UseCases

/// What is known of the outbox in memory alone.
struct OutboxMemory {
    var leases = Leases()
    /// Of the notice that is being looked up.
    var fanOut: FanOut?
}

extension SQLiteStore: PushOutbox {
    /// Writes only where somebody is to be looked up: an idle server leaves its disk alone.
    public func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease {
        try outbox.withLock { memory throws(StoreError) in
            memory.leases.expire(at: now)
            var (messages, nextDueAt) = try take(service, at: now, until: end, limit: limit, &memory.leases)
            do throws(StoreError) {
                // Others may write between two slices.
                for _ in 0..<Self.slicesPerLease {
                    guard messages.count < limit, try lookUp(&memory.fanOut, at: now) else { break }
                    let more = try take(service, at: now, until: end, limit: limit - messages.count, &memory.leases)
                    messages += more.messages
                    nextDueAt = more.nextDueAt
                }
                let hasMore = try read { connection throws(StoreError) in try connection.hasToLookUp() }
                nextDueAt = [nextDueAt, memory.leases.firstEnd(of: service)].compactMap(\.self).min()
                return PushLease(messages: messages, nextDueAt: hasMore ? now : nextDueAt)
            } catch {
                // What has been taken is given out: nobody would have it before its lease is over.
                guard !messages.isEmpty else { throw error }
                return PushLease(messages: messages, nextDueAt: now)
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
        try outbox.withLock { memory throws(StoreError) in
            var rest = settlements.filter { $0.isGone || memory.leases.holds($0.message) }[...]
            while !rest.isEmpty {
                let slice = rest.prefix(Self.settlementsPerSlice)
                rest.removeFirst(slice.count)
                try write(.logged) { connection throws(StoreError) in
                    try connection.transaction { () throws(StoreError) in
                        for settlement in slice { try connection.settle(settlement) }
                    }
                }
                // One that was renewed meanwhile is told again when the lease is over.
                for settlement in slice where !settlement.isGone { memory.leases.end(settlement.message) }
            }
        }
    }

    /// Transactions of one call that make messages, and settlements in one: few, so that nobody's commit waits for long.
    private static var slicesPerLease: Int { 32 }
    private static var settlementsPerSlice: Int { 64 }

    /// Messages that are due, now leased, and when the next is that is not.
    private func take(
        _ service: PushService, at now: Instant, until end: Instant, limit: Int, _ leases: inout Leases
    ) throws(StoreError) -> (messages: [PushMessage], nextDueAt: Instant?) {
        let waiting = try read { [leases] connection throws(StoreError) in
            try connection.transaction(writes: false) { () throws(StoreError) in
                try connection.waiting(service, at: now, limit: limit, beside: leases)
            }
        }
        if !waiting.superseded.isEmpty {
            try write(.logged) { connection throws(StoreError) in
                try connection.transaction { () throws(StoreError) in
                    for message in waiting.superseded { try connection.delete(message) }
                }
            }
        }
        for message in waiting.due { leases.begin(message, until: end) }
        return (waiting.due, waiting.nextDueAt)
    }
}

/// What a service is to be given.
private struct Waiting {
    var due: [PushMessage] = []
    /// Of an older stage, which nobody is to be told any more.
    var superseded: [PushMessage.ID] = []
    var nextDueAt: Instant?
}

extension Connection {
    fileprivate func waiting(
        _ service: PushService, at now: Instant, limit: Int, beside leases: Leases
    ) throws(StoreError) -> Waiting {
        // By the index alone: those that are leased are passed over here.
        let places = try all(
            """
            SELECT room_id, device, due_at FROM push_message
            WHERE service = \(service.rawValue) ORDER BY due_at LIMIT \(limit + leases.count + 1)
            """
        ) { row in
            (place: Leases.Place(room: Identifier(row.text()), device: row.integer64()), dueAt: row.instant())
        }.filter { !leases.hold($0.place) }
        let due = places.prefix { $0.dueAt <= now }.prefix(limit)
        var waiting = Waiting(nextDueAt: places.dropFirst(due.count).first?.dueAt)
        for (place, _) in due {
            guard let (message, position) = try message(at: place) else { continue }
            if position == message.notice.order {
                waiting.due.append(message)
            } else {
                waiting.superseded.append(PushMessage.ID(room: place.room, order: position, registration: place.device))
            }
        }
        return waiting
    }

    private func message(at place: Leases.Place) throws(StoreError) -> (PushMessage, position: Int64)? {
        try first(
            """
            SELECT device.key, device.platform, device.push_token, device.language, device.registered_at, push_message.attempts,
              push_notice.room_id, push_notice.sequence, push_notice.stage, push_notice.phase, push_notice.members,
              push_notice.submissions, push_notice.at, push_notice.expires_at, push_message.position
            FROM push_message
              JOIN push_notice ON push_notice.room_id = push_message.room_id
              JOIN device ON device.key = push_message.device
            WHERE push_message.room_id = \(place.room) AND push_message.device = \(place.device)
            """
        ) { row throws(StoreError) in (try row.pushMessage(), row.integer64()) }
    }

    /// A newer one in its place is left alone.
    fileprivate func delete(_ message: PushMessage.ID) throws(StoreError) {
        try run(
            """
            DELETE FROM push_message
            WHERE room_id = \(message.room) AND device = \(message.registration) AND position = \(message.order)
            """)
    }

    /// See `delete`.
    fileprivate func settle(_ settlement: PushSettlement) throws(StoreError) {
        let message = settlement.message
        switch settlement.verdict {
        case .accepted, .dropped: try delete(message)
        case .again(let at, let attempts):
            try run(
                """
                UPDATE push_message SET due_at = \(at), attempts = \(attempts)
                WHERE room_id = \(message.room) AND device = \(message.registration) AND position = \(message.order)
                """)
        case .gone(let registeredAt):
            try run("DELETE FROM device WHERE key = \(message.registration) AND registered_at <= \(registeredAt)")
        }
    }
}

extension PushSettlement {
    fileprivate var isGone: Bool { if case .gone = verdict { true } else { false } }
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
