internal import MenuGame
internal import UseCases

// What is to be told, written with the change that it tells of.
extension Connection {
    /// In place of an older one of the room. Whose messages were of that are looked up anew.
    func write(_ notice: PushNotice) throws(StoreError) {
        try run(
            """
            INSERT INTO push_notice (
              room_id, position, sequence, stage, phase, members, submissions, at, expires_at, looked_up)
            VALUES (
              \(notice.room), \(notice.order), \(notice.sequence), \(notice.stage.rawValue), \(notice.phase.rawValue), \(notice.memberCount),
              \(notice.submissionCount), \(notice.at), \(notice.expiresAt), 0)
            ON CONFLICT (room_id) DO UPDATE SET
              position = excluded.position, sequence = excluded.sequence, stage = excluded.stage, phase = excluded.phase,
              members = excluded.members, submissions = excluded.submissions, at = excluded.at, expires_at = excluded.expires_at,
              looked_up = 0
            WHERE excluded.position > position
            """)
    }

    /// Tells the live activities of rooms that are about to be deleted that they are over, unless they know that it is decided.
    func noteEnds(expiredAt now: Instant, limit: Int) throws(StoreError) {
        let notices = try all(
            """
            SELECT id, sequence, (SELECT result.round FROM result WHERE result.room = room.key AND result.round = room.round),
              (SELECT count(*) FROM member WHERE member.room = room.key),
              (SELECT count(*) FROM submission WHERE submission.room = room.key)
            FROM room
            WHERE key IN (SELECT key FROM room WHERE expires_at <= \(now) ORDER BY expires_at LIMIT \(limit))
              AND EXISTS (SELECT 1 FROM device WHERE device.room_id = room.id)
              AND NOT EXISTS (
                SELECT 1 FROM result WHERE result.room = room.key AND result.round = room.round AND decided_menu IS NOT NULL)
            """
        ) { row in
            PushNotice(
                room: Identifier(row.text()), sequence: row.integer(), stage: .over,
                phase: row.optional { $0.integer() } == nil ? .open : .revealed, memberCount: row.integer(),
                submissionCount: row.integer(), at: now, expiresAt: now.advanced(by: PushNotice.lifetime))
        }
        for notice in notices { try write(notice) }
    }

    func hasToWarn(expiringBefore end: Instant, at now: Instant) throws(StoreError) -> Bool {
        try first("\(toWarn: end, now, limit: 1)") { _ in true } ?? false
    }

    func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError) {
        let notices = try all("\(toWarn: end, now, limit: limit)") { row in
            PushNotice(
                room: Identifier(row.text()), sequence: row.integer(), stage: .expiring, phase: .open, memberCount: row.integer(),
                submissionCount: row.integer(), at: now, expiresAt: row.instant())
        }
        for notice in notices {
            try runOnOne("UPDATE room SET is_warned = 1 WHERE id = \(notice.room)")
            try write(notice)
        }
    }
}

extension SQL.Interpolation {
    /// Rooms that end soon, have answers and no result, and whose hosts do not know.
    fileprivate mutating func appendInterpolation(toWarn end: Instant, _ now: Instant, limit: Int) {
        appendLiteral(
            """
            SELECT id, sequence, (SELECT count(*) FROM member WHERE member.room = room.key),
              (SELECT count(*) FROM submission WHERE submission.room = room.key), expires_at
            FROM room WHERE expires_at <=
            """)
        appendInterpolation(end)
        appendLiteral(" AND expires_at > ")
        appendInterpolation(now)
        appendLiteral(
            """
             AND is_warned = 0
              AND EXISTS (SELECT 1 FROM submission WHERE submission.room = room.key)
              AND NOT EXISTS (SELECT 1 FROM result WHERE result.room = room.key AND result.round = room.round)
            ORDER BY expires_at LIMIT
            """)
        appendInterpolation(limit)
    }
}
