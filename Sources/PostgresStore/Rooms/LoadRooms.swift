internal import GameJSON
internal import MenuGame
internal import UseCases

extension Connection {
    /// The rooms with these PINs, all of each as of one moment, in two round trips.
    func load(_ pins: [PIN], at now: Instant, within limit: Duration) throws(StoreError) -> [PIN: RoomRecord] {
        let claims = try run("SELECT room FROM pin_claim WHERE pin = ANY(\(pins)) AND expires_at > \(now)", within: limit)
        let ids = claims.all { $0.identifier() }
        guard !ids.isEmpty else { return [:] }
        let results = try read(Self.wholeRooms(ids, at: now), within: limit)
        guard results.count == 4 else { throw abandon("an answer is missing") }
        var rooms: [Identifier: RoomRecord] = [:]
        for room in try results[0].all({ row throws(StoreError) in try RoomRecord(&row) }) { rooms[room.id] = room }
        for (room, member) in try results[1].all({ row throws(StoreError) in try row.member() }) { rooms[room]?.members.append(member) }
        for (room, token) in try results[2].all({ row throws(StoreError) in (row.identifier(), try row.tokenHash()) }) {
            rooms[room]?.removed.insert(token)
        }
        for (room, result) in try results[3].all({ row throws(StoreError) in try row.result() }) { rooms[room]?.results.append(result) }
        return Dictionary(rooms.values.map { ($0.pin, $0) }) { first, _ in first }
    }

    private static func wholeRooms(_ ids: [Identifier], at now: Instant) -> [SQL] {
        [
            """
            SELECT id, pin, catalogue, created_at, expires_at,
              reveal_by_host, reveal_by_any_member, reveal_by_anyone, reveal_at_deadline, reveal_at_submissions,
              deadline_at, opened_by, round, sequence, host, last_member, last_submission
            FROM room WHERE id = ANY(\(ids)) AND expires_at > \(now)
            """,
            """
            SELECT member.room, member.number, token_hash, nickname, joined_at, submission.number, revision, answers, submitted_at
            FROM member LEFT JOIN submission ON submission.room = member.room AND submission.member = member.number
            WHERE member.room = ANY(\(ids)) ORDER BY member.room, member.number
            """,
            "SELECT room, token_hash FROM removed WHERE room = ANY(\(ids))",
            """
            SELECT room, round, sequence, revealed_at, outcome, ballots, decided_menu
            FROM result WHERE room = ANY(\(ids)) ORDER BY room, round
            """,
        ]
    }

    func sequences(of rooms: [Identifier], within limit: Duration) throws(StoreError) -> [Identifier: Int] {
        let rows = try run("SELECT id, sequence FROM room WHERE id = ANY(\(rooms))", within: limit)
        return Dictionary(rows.all { ($0.identifier(), $0.integer()) }) { first, _ in first }
    }
}

extension RoomRecord {
    fileprivate init(_ row: inout Row) throws(StoreError) {
        self.init(
            id: row.identifier(), pin: try row.pin(), catalogue: row.text(), createdAt: row.instant(), expiresAt: row.instant(),
            revealWhen: RevealPolicy(
                host: row.bool(), anyMember: row.bool(), anyone: row.bool(), deadline: row.bool(),
                submissions: row.optional { $0.integer() }),
            deadlineAt: row.optional { $0.instant() }, openedBy: try row.tokenHash(), round: row.integer(), sequence: row.integer(),
            host: row.optional { $0.memberID() }, memberCounter: row.integer(), submissionCounter: row.integer())
    }
}

extension Row {
    fileprivate mutating func member() throws(StoreError) -> (room: Identifier, RoomRecord.Member) {
        let room = identifier()
        let id = memberID()
        var member = RoomRecord.Member(
            id: id, token: try tokenHash(), nickname: optional { Nickname(stored: $0.text()) }, joinedAt: instant())
        if let number = optional({ $0.integer() }) {
            member.submission = RoomRecord.Submission(
                id: SubmissionID(number: number), revision: integer(),
                answers: try read(bytes(), "answers of \(id) in \(room)", StoredJSON.answers), submittedAt: instant())
        }
        return (room, member)
    }

    fileprivate mutating func result() throws(StoreError) -> (room: Identifier, RoundResult) {
        let room = identifier()
        let result = RoundResult(
            round: integer(), sequence: integer(), revealedAt: instant(),
            outcome: try read(bytes(), "an outcome of \(room)", StoredJSON.outcome),
            ballots: try read(bytes(), "ballots of \(room)", StoredJSON.ballots), decision: optional { $0.identifier() })
        return (room, result)
    }

    private func read<Value>(
        _ text: [UInt8], _ what: @autoclosure () -> String, _ read: ([UInt8]) throws(StoredJSONFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoredJSONFault) { return try read(text) } catch { throw StoreError("database: \(what()): \(error)") }
    }
}
