internal import MenuGame
internal import UseCases

/// What came of messages, as statements that go to one room each. They lock in one order: messages, then devices, both sorted.
struct SettlementPlan {
    private let rooms: [(id: Identifier, settlements: [PushSettlement])]
    private let gone: [PushSettlement]

    init(_ settlements: [PushSettlement]) {
        rooms = Dictionary(grouping: settlements, by: \.message.room).sorted { $0.key < $1.key }.map { ($0, $1) }
        gone = settlements.filter { $0.goneSince != nil }
    }

    var statements: [SQL] { rooms.flatMap { settle($0.settlements, in: $0.id) } + forget }

    /// What goes out no more is deleted, unless a newer one has taken its place. The others go out again when they are told, and a newer
    /// one in their place at once.
    private func settle(_ settlements: [PushSettlement], in room: Identifier) -> [SQL] {
        let ended = settlements.filter { $0.goneSince == nil && $0.again == nil }
        let rest = settlements.filter { $0.goneSince == nil }
        return [
            """
            SELECT device FROM push_message WHERE room_id = \(room) AND device = ANY(\(settlements.map(\.message.registration)))
            ORDER BY device FOR UPDATE
            """,
            """
            DELETE FROM push_message
            USING unnest(\(ended.map(\.message.registration)), \(ended.map(\.message.order))) AS said (device, position)
            WHERE push_message.room_id = \(room) AND push_message.device = said.device
              AND push_message.leased = said.position AND push_message.position = said.position
            """,
            """
            UPDATE push_message SET
              leased = NULL, due_at = CASE WHEN push_message.position = said.position THEN said.due_at ELSE 0 END,
              attempts = CASE WHEN push_message.position = said.position THEN said.attempts ELSE push_message.attempts END
            FROM unnest(
              \(rest.map(\.message.registration)), \(rest.map(\.message.order)),
              \(rest.map { $0.again?.at.milliseconds ?? 0 }), \(rest.map { Int64($0.again?.attempts ?? 0) }))
              AS said (device, position, due_at, attempts)
            WHERE push_message.room_id = \(room) AND push_message.device = said.device AND push_message.leased = said.position
            """,
        ]
    }

    /// Devices that are no longer there go, with what waited for them here; what waits elsewhere is cleared away when it is due. One that
    /// was renewed meanwhile is told again when the lease is over.
    private var forget: [SQL] {
        guard !gone.isEmpty else { return [] }
        let devices = gone.map(\.message.registration)
        let messages: [SQL] = rooms.compactMap { room in
            let devices = room.settlements.filter { $0.goneSince != nil }.map(\.message.registration)
            guard !devices.isEmpty else { return nil }
            return """
                DELETE FROM push_message WHERE room_id = \(room.id) AND device = ANY(\(devices))
                  AND NOT EXISTS (SELECT FROM device WHERE device.key = push_message.device)
                """
        }
        return [
            .lock(devices),
            """
            DELETE FROM device USING unnest(\(devices), \(gone.map { $0.goneSince?.milliseconds ?? 0 })) AS said (key, registered_at)
            WHERE device.key = said.key AND device.registered_at <= said.registered_at
            """,
        ] + messages
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
