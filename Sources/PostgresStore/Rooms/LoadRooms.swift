internal import GameJSON
internal import MenuGame
internal import UseCases

extension Connection {
    /// The rooms with these PINs, all of each as of one moment, in two round trips.
    func load(_ pins: [PIN], at now: Instant, within limit: Duration) throws(StoreError) -> [PIN: StoredRoom] {
        let claims = try run(
            pins.map { "SELECT room FROM pin_claim WHERE pin = \($0) AND expires_at > \(now)" }, within: limit)
        let ids = claims.all { $0.identifier() }
        guard !ids.isEmpty else { return [:] }
        let statements = ids.map { Self.wholeRoom($0, at: now) }
        var results = try read(statements.flatMap(\.self), within: limit)[...]
        var rooms: [PIN: StoredRoom] = [:]
        for statements in statements {
            if let room = try Self.room(Array(results.prefix(statements.count))) { rooms[room.record.pin] = room }
            results = results.dropFirst(statements.count)
        }
        return rooms
    }

    /// - Parameter results: of the statements of `wholeRoom`.
    private static func room(_ results: [Rows]) throws(StoreError) -> StoredRoom? {
        guard results.count == 4,
            let (found, mark) = try results[0].first({ row throws(StoreError) in (try RoomRecord(&row), Int64(row.integer())) })
        else { return nil }
        var room = found
        room.members = try results[1].all { row throws(StoreError) in try row.member(of: room.id) }
        room.removed = Set(try results[2].all { row throws(StoreError) in try row.tokenHash() })
        room.results = try results[3].all { row throws(StoreError) in try row.result(of: room.id) }
        return StoredRoom(room, mark: mark)
    }

    private static func wholeRoom(_ id: Identifier, at now: Instant) -> [SQL] {
        [
            """
            SELECT id, pin, catalogue, created_at, expires_at,
              reveal_by_host, reveal_by_any_member, reveal_by_anyone, reveal_at_deadline, reveal_at_submissions,
              deadline_at, opened_by, round, sequence, host, last_member, last_submission, written_by
            FROM room WHERE id = \(id) AND expires_at > \(now)
            """,
            """
            SELECT member.number, token_hash, nickname, joined_at, submission.number, revision, answers, submitted_at
            FROM member LEFT JOIN submission ON submission.room = \(id) AND submission.member = member.number
            WHERE member.room = \(id) ORDER BY member.number
            """, "SELECT token_hash FROM removed WHERE room = \(id)",
            "SELECT round, sequence, revealed_at, outcome, ballots, decided_menu FROM result WHERE room = \(id) ORDER BY round",
        ]
    }

    func versions(of rooms: [Identifier], within limit: Duration) throws(StoreError) -> [Identifier: RoomVersion] {
        let found = try run(rooms.map { "SELECT id, sequence, written_by FROM room WHERE id = \($0)" }, within: limit)
        return Dictionary(found.all { ($0.identifier(), RoomVersion(sequence: $0.integer(), mark: Int64($0.integer()))) }) { first, _ in
            first
        }
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
    fileprivate mutating func member(of room: Identifier) throws(StoreError) -> RoomRecord.Member {
        let id = memberID()
        var member = RoomRecord.Member(
            id: id, token: try tokenHash(), nickname: optional { Nickname(stored: $0.text()) }, joinedAt: instant())
        if let number = optional({ $0.integer() }) {
            member.submission = RoomRecord.Submission(
                id: SubmissionID(number: number), revision: integer(),
                answers: try read(bytes(), "answers of \(id) in \(room)", StoredJSON.answers), submittedAt: instant())
        }
        return member
    }

    fileprivate mutating func result(of room: Identifier) throws(StoreError) -> RoundResult {
        RoundResult(
            round: integer(), sequence: integer(), revealedAt: instant(),
            outcome: try read(bytes(), "an outcome of \(room)", StoredJSON.outcome),
            ballots: try read(bytes(), "ballots of \(room)", StoredJSON.ballots), decision: optional { $0.identifier() })
    }

    private func read<Value>(
        _ text: [UInt8], _ what: @autoclosure () -> String, _ read: ([UInt8]) throws(StoredJSONFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoredJSONFault) { return try read(text) } catch { throw StoreError("database: \(what()): \(error)") }
    }
}
