internal import GameJSON
internal import MenuGame
internal import UseCases

extension Connection {
    /// The room that has this PIN, unless it has expired: all of it as of one moment.
    func room(_ pin: PIN, at now: Instant) throws(StoreError) -> RoomRecord? {
        try transaction(writes: false) { () throws(StoreError) in try roomWithinTransaction(pin, at: now) }
    }

    func roomWithinTransaction(_ pin: PIN, at now: Instant) throws(StoreError) -> RoomRecord? {
        guard let (key, head) = try head(pin, at: now) else { return nil }
        var room = head
        room.members = try members(of: key, in: room.id)
        room.removed = try removed(from: key)
        room.results = try results(of: key, in: room.id)
        return room
    }

    func sequence(of room: Identifier) throws(StoreError) -> Int? {
        try first("SELECT sequence FROM room WHERE id = \(room)") { $0.integer() }
    }

    private func head(_ pin: PIN, at now: Instant) throws(StoreError) -> (key: Int64, room: RoomRecord)? {
        try first(
            """
            SELECT room.key, id, fingerprint, created_at, expires_at,
              reveal_by_host, reveal_by_any_member, reveal_by_anyone, reveal_at_deadline, reveal_at_submissions,
              deadline_at, opened_by, round, sequence, host, last_member, last_submission
            FROM room JOIN catalogue ON catalogue.key = room.catalogue
            WHERE pin = \(pin) AND expires_at > \(now)
            """
        ) { row throws(StoreError) in
            let key = row.integer64()
            let room = RoomRecord(
                id: Identifier(row.text()), pin: pin, catalogue: row.text(), createdAt: row.instant(), expiresAt: row.instant(),
                revealWhen: RevealPolicy(
                    host: row.bool(), anyMember: row.bool(), anyone: row.bool(), deadline: row.bool(),
                    submissions: row.optional { $0.integer() }),
                deadlineAt: row.optional { $0.instant() }, openedBy: try row.tokenHash(), round: row.integer(), sequence: row.integer(),
                host: row.optional { $0.memberID() }, memberCounter: row.integer(), submissionCounter: row.integer())
            return (key, room)
        }
    }

    private func members(of key: Int64, in room: Identifier) throws(StoreError) -> [RoomRecord.Member] {
        try all(
            """
            SELECT member.number, token_hash, nickname, joined_at, submission.number, revision, answers, submitted_at
            FROM member LEFT JOIN submission ON submission.room = member.room AND submission.member = member.number
            WHERE member.room = \(key) ORDER BY member.number
            """
        ) { row throws(StoreError) in
            let id = row.memberID()
            var member = RoomRecord.Member(
                id: id, token: try row.tokenHash(), nickname: row.optional { Nickname(stored: $0.text()) },
                joinedAt: row.instant())
            if let number = row.optional({ $0.integer() }) {
                member.submission = RoomRecord.Submission(
                    id: SubmissionID(number: number), revision: row.integer(),
                    answers: try read(row.bytes(), "answers of \(member.id) in \(room)", StoredJSON.answers),
                    submittedAt: row.instant())
            }
            return member
        }
    }

    private func removed(from key: Int64) throws(StoreError) -> Set<TokenHash> {
        Set(try all("SELECT token_hash FROM removed WHERE room = \(key)") { row throws(StoreError) in try row.tokenHash() })
    }

    private func results(of key: Int64, in room: Identifier) throws(StoreError) -> [RoundResult] {
        try all("SELECT round, sequence, revealed_at, outcome, ballots, decided_menu FROM result WHERE room = \(key) ORDER BY round") {
            row throws(StoreError) in
            RoundResult(
                round: row.integer(), sequence: row.integer(), revealedAt: row.instant(),
                outcome: try read(row.bytes(), "an outcome of \(room)", StoredJSON.outcome),
                ballots: try read(row.bytes(), "ballots of \(room)", StoredJSON.ballots),
                decision: row.optional { Identifier($0.text()) })
        }
    }

    private func read<Value>(
        _ text: [UInt8], _ what: @autoclosure () -> String, _ read: ([UInt8]) throws(StoredJSONFault) -> Value
    ) throws(StoreError) -> Value {
        do throws(StoredJSONFault) { return try read(text) } catch { throw StoreError("database: \(what()): \(error)") }
    }
}
