internal import GameJSON
internal import MenuGame
internal import UseCases

extension Connection {
    /// Writes all of `batch` in one transaction.
    ///
    /// Whether a change is taken is decided before it has written anything that would need undoing.
    func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome] {
        try transaction { () throws(StoreError) in
            try batch.map { change throws(StoreError) in try write(change) }
        }
    }

    private func write(_ change: RoomChange) throws(StoreError) -> CommitOutcome {
        let room = change.room
        for receipt in change.receipts where try self.receipt(receipt.key, at: receipt.keptAt) != nil { return .conflict }
        let key: Int64
        if let basedOn = change.basedOn {
            guard let known = try update(room, basedOn: basedOn.sequence) else { return .conflict }
            key = known
        } else {
            guard let new = try insert(room) else { return .pinTaken }
            key = new
        }
        for event in change.events { try write(event, of: room, key) }
        if let notice = change.notice { try write(notice) }
        if !room.isClosed { for receipt in change.receipts { try write(receipt, of: receipt.isOfRoom ? key : nil) } }
        return .stored
    }

    /// Takes the PIN; one that only an expired room still has is free.
    private func insert(_ room: Room) throws(StoreError) -> Int64? {
        try run("DELETE FROM room WHERE pin = \(room.pin) AND expires_at <= \(room.createdAt)")
        return try first(
            """
            INSERT INTO room (
              id, pin, catalogue, created_at, expires_at, deadline_at, opened_by,
              reveal_by_host, reveal_by_any_member, reveal_by_anyone, reveal_at_deadline, reveal_at_submissions,
              round, sequence, host, last_member, last_submission, due_at)
            VALUES (
              \(room.id), \(room.pin), (SELECT key FROM catalogue WHERE fingerprint = \(room.catalogue.fingerprint)),
              \(room.createdAt), \(room.expiresAt), \(room.deadlineAt), \(room.openedBy),
              \(room.revealWhen.host), \(room.revealWhen.anyMember), \(room.revealWhen.anyone), \(room.revealWhen.deadline),
              \(room.revealWhen.submissions),
              \(room.round), \(room.sequence), \(room.host), \(room.memberCounter), \(room.submissionCounter),
              \(room.dueAt))
            ON CONFLICT DO NOTHING
            RETURNING key
            """
        ) { $0.integer64() }
    }

    /// Where the row is not remembered, in two steps: a `RETURNING` makes a table of its own for its one row, and an index is written for
    /// every column that is named.
    private func update(_ room: Room, basedOn sequence: Int) throws(StoreError) -> Int64? {
        let dueAt = room.dueAt
        if let row = roomRows[room.id], row.dueAt == dueAt, try update(room, in: row, basedOn: sequence) { return row.key }
        let found = try first("SELECT key, due_at FROM room WHERE id = \(room.id) AND sequence = \(sequence)") { row in
            RoomRows.Row(key: row.integer64(), dueAt: row.optional { $0.instant() })
        }
        guard let found, try update(room, in: found, basedOn: sequence) else { return nil }
        if dueAt != found.dueAt { try runOnOne("UPDATE room SET due_at = \(dueAt), leased_until = NULL WHERE key = \(found.key)") }
        roomRows.note(RoomRows.Row(key: found.key, dueAt: dueAt), of: room.id)
        return found.key
    }

    /// - Returns: false where that is not the room's row, or no longer, and nothing was written.
    private func update(_ room: Room, in row: RoomRows.Row, basedOn sequence: Int) throws(StoreError) -> Bool {
        try run(
            """
            UPDATE room SET
              round = \(room.round), sequence = \(room.sequence), host = \(room.host),
              last_member = \(room.memberCounter), last_submission = \(room.submissionCounter)
            WHERE key = \(row.key) AND id = \(room.id) AND sequence = \(sequence) AND due_at IS \(row.dueAt)
            """) == 1
    }

    private func write(_ event: RoomEvent, of room: Room, _ key: Int64) throws(StoreError) {
        switch event {
        case .joined(let member):
            try runOnOne(
                """
                INSERT INTO member (room, number, token_hash, nickname, joined_at)
                VALUES (\(key), \(member.id), \(member.token), \(member.nickname), \(member.joinedAt))
                """)
        case .renamed(let member, let nickname):
            try runOnOne("UPDATE member SET nickname = \(nickname) WHERE room = \(key) AND number = \(member)")
        case .left(let member):
            try runOnOne("DELETE FROM member WHERE room = \(key) AND number = \(member)")
        case .removed(let member, let token):
            try runOnOne("DELETE FROM member WHERE room = \(key) AND number = \(member)")
            try runOnOne("INSERT INTO removed (room, token_hash) VALUES (\(key), \(token))")
        case .handedOver:
            // The host stands in the room's own row.
            break
        case .submitted(let submission, let member):
            try runOnOne(
                """
                INSERT INTO submission (room, member, number, revision, answers, submitted_at)
                VALUES (
                  \(key), \(member), \(submission.id), \(submission.revision), \(utf8: text(submission, in: room)),
                  \(submission.submittedAt))
                """)
        case .resubmitted(let submission, let member):
            try runOnOne(
                """
                UPDATE submission SET
                  revision = \(submission.revision), answers = \(utf8: text(submission, in: room)),
                  submitted_at = \(submission.submittedAt)
                WHERE room = \(key) AND member = \(member) AND number = \(submission.id) AND revision < \(submission.revision)
                """)
        case .withdrawn(let submission, let member):
            try runOnOne("DELETE FROM submission WHERE room = \(key) AND member = \(member) AND number = \(submission)")
        case .revealed(let result):
            try runOnOne(
                """
                INSERT INTO result (room, round, sequence, revealed_at, outcome, ballots)
                VALUES (
                  \(key), \(result.round), \(result.sequence), \(result.revealedAt),
                  \(utf8: StoredJSON.text(of: result.outcome)), \(utf8: StoredJSON.text(of: result.ballots)))
                """)
        case .decided(let menu, let round):
            try runOnOne("UPDATE result SET decided_menu = \(menu) WHERE room = \(key) AND round = \(round) AND decided_menu IS NULL")
        case .roundBegan:
            try run("DELETE FROM submission WHERE room = \(key)")
            try runOnOne("UPDATE room SET deadline_at = \(room.deadlineAt) WHERE key = \(key)")
        case .closed:
            try runOnOne("DELETE FROM room WHERE key = \(key)")
        }
    }

    private func text(_ submission: Submission, in room: Room) -> [UInt8] {
        StoredJSON.text(of: submission.sheet, in: room.catalogue)
    }
}
