internal import MenuGame
internal import UseCases

// What is to be told, written with the change that it tells of.

extension Connection {
    /// Tells the hosts of rooms that end soon, each once, whoever else has found them.
    ///
    /// - Parameter rooms: sorted, as all lock them.
    func warn(_ rooms: [Identifier], at now: Instant, within limits: TimeLimits) throws(StoreError) {
        try write(taking: rooms.map { .markWarned($0) }, within: limits) { marked in
            zip(rooms, marked).compactMap { room, rows in rows.count > 0 ? .noteWarning(of: room, at: now) : nil }
        }
    }
}

extension SQL {
    /// Puts notices in place of older ones of their rooms. Whose messages were of those are looked up anew.
    ///
    /// - Parameter notices: gives a notice a row: room, position, sequence, stage, phase, members, submissions, at and the end.
    static func keepNotices(_ notices: SQL) -> SQL {
        """
        INSERT INTO push_notice (room_id, position, sequence, stage, phase, members, submissions, at, expires_at, looked_up)
        SELECT notices.*, 0 FROM (\(notices)) AS notices
        ON CONFLICT (room_id) DO UPDATE SET
          position = excluded.position, sequence = excluded.sequence, stage = excluded.stage, phase = excluded.phase,
          members = excluded.members, submissions = excluded.submissions, at = excluded.at, expires_at = excluded.expires_at,
          looked_up = 0
        WHERE excluded.position > push_notice.position
        """
    }

    /// How many are in a room and how many of them have answered.
    private static func counts(in room: Identifier) -> SQL {
        """
        (SELECT count(*) FROM member WHERE member.room = \(room)), (SELECT count(*) FROM submission WHERE submission.room = \(room))
        """
    }

    /// Gives back a room that ends soon, has answers and no result, and whose host has not been told so; now they are.
    fileprivate static func markWarned(_ room: Identifier) -> SQL {
        """
        UPDATE room SET is_warned = true WHERE id = \(room) AND id = (
          SELECT id FROM room
          WHERE id = \(room) AND NOT is_warned AND EXISTS (SELECT FROM submission WHERE submission.room = \(room))
            AND NOT EXISTS (SELECT FROM result WHERE result.room = \(room) AND result.round = room.round)
          FOR UPDATE SKIP LOCKED)
        RETURNING id
        """
    }

    fileprivate static func noteWarning(of room: Identifier, at now: Instant) -> SQL {
        keepNotices(
            """
            SELECT id, sequence * 8 + \(PushNotice.order(0, .expiring)), sequence, \(PushStage.expiring.rawValue),
              \(Room.Phase.open.rawValue), \(counts(in: room)), \(now), expires_at
            FROM room WHERE id = \(room)
            """)
    }

    /// Tells the live activities of a room that has expired that it is over, unless they know that it is decided.
    static func noteEnd(of room: Identifier, at now: Instant) -> SQL {
        keepNotices(
            """
            SELECT id, sequence * 8 + \(PushNotice.order(0, .over)), sequence, \(PushStage.over.rawValue),
              CASE WHEN EXISTS (SELECT FROM result WHERE result.room = \(room) AND result.round = room.round)
                THEN \(Room.Phase.revealed.rawValue) ELSE \(Room.Phase.open.rawValue) END,
              \(counts(in: room)), \(now), \(now.advanced(by: PushNotice.lifetime))
            FROM room
            WHERE id = \(room) AND expires_at <= \(now) AND EXISTS (SELECT FROM device WHERE device.room_id = \(room))
              AND NOT EXISTS (
                SELECT FROM result WHERE result.room = \(room) AND result.round = room.round AND decided_menu IS NOT NULL)
            """)
    }
}

extension MarkedChange {
    /// Keeps what phones are to be told; nothing where that is nothing.
    var notices: [SQL] {
        guard let notice = change.notice else { return [] }
        return [
            .keepNotices(
                """
                SELECT room.id, \(notice.order), \(notice.sequence), \(notice.stage.rawValue), \(notice.phase.rawValue),
                  \(notice.memberCount), \(notice.submissionCount), \(notice.at), \(notice.expiresAt)
                FROM \(taken)
                """)
        ]
    }
}
