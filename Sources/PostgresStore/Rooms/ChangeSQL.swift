internal import GameJSON
internal import MenuGame
internal import UseCases

/// A change as it is in a batch.
typealias IndexedChange = (index: Int, marked: MarkedChange)

/// A change and the mark with which it writes its room. Whether it was taken stands in the room's own row, so that each of its statements
/// can depend on that and all are sent at once. Each names the room, so that it goes to the one server that has it.
struct MarkedChange {
    let change: RoomChange
    let mark: Int64
    /// Keys of the answers that are deleted with the room that it closes.
    var closedKeys: [ReceiptKey] = []

    init(_ change: RoomChange) {
        self.change = change
        mark = change.published.mark ?? .random(in: 0 ... .max)
    }

    var room: Room { change.room }

    /// The row of the room, if it was this change that wrote it last.
    var taken: SQL { "room WHERE room.id = \(room.id) AND room.written_by = \(mark)" }

    /// Takes the PIN; one that only an expired room still has is free. Gives back the expired room.
    var freePIN: SQL { "DELETE FROM pin_claim WHERE pin = \(room.pin) AND expires_at <= \(room.createdAt) RETURNING room" }
    var claimPIN: SQL { "INSERT INTO pin_claim (pin, room, expires_at) VALUES (\(room.pin), \(room.id), \(room.expiresAt))" }

    var insertRoom: SQL {
        """
        INSERT INTO room (
          id, pin, catalogue, created_at, expires_at, deadline_at, opened_by,
          reveal_by_host, reveal_by_any_member, reveal_by_anyone, reveal_at_deadline, reveal_at_submissions,
          round, sequence, host, last_member, last_submission, due_at, written_by)
        VALUES (
          \(room.id), \(room.pin), \(room.catalogue.fingerprint), \(room.createdAt), \(room.expiresAt), \(room.deadlineAt),
          \(room.openedBy),
          \(room.revealWhen.host), \(room.revealWhen.anyMember), \(room.revealWhen.anyone), \(room.revealWhen.deadline),
          \(room.revealWhen.submissions),
          \(room.round), \(room.sequence), \(room.host), \(room.memberCounter), \(room.submissionCounter), \(room.dueAt), \(mark))
        """
    }

    /// Changes one row, or none where the room is no longer the one that the change was based on.
    func updateRoom(basedOn version: RoomVersion) -> SQL {
        let dueAt = room.dueAt
        return """
            UPDATE room SET
              round = \(room.round), sequence = \(room.sequence), host = \(room.host), deadline_at = \(room.deadlineAt),
              last_member = \(room.memberCounter), last_submission = \(room.submissionCounter),
              leased_until = CASE WHEN due_at IS NOT DISTINCT FROM \(dueAt) THEN leased_until END, due_at = \(dueAt), written_by = \(mark)
            WHERE id = \(room.id) AND \(SQL.isStill(version))
            """
    }

    func statements(for event: RoomEvent) -> [SQL] {
        switch event {
        case .joined(let member):
            return [
                """
                INSERT INTO member (room, number, token_hash, nickname, joined_at)
                SELECT room.id, \(member.id), \(member.token), \(member.nickname), \(member.joinedAt) FROM \(taken)
                """
            ]
        case .renamed(let member, let nickname):
            return [one("UPDATE member SET nickname = \(nickname)", "number = \(member)")]
        case .left(let member):
            return [one("DELETE FROM member", "number = \(member)")]
        case .removed(let member, let token):
            return [
                one("DELETE FROM member", "number = \(member)"),
                "INSERT INTO removed (room, token_hash) SELECT room.id, \(token) FROM \(taken)",
            ]
        case .handedOver:
            // The host stands in the room's own row.
            return []
        case .submitted(let submission, let member):
            return [
                """
                INSERT INTO submission (room, member, number, revision, answers, submitted_at)
                SELECT room.id, \(member), \(submission.id), \(submission.revision), \(utf8: text(submission)),
                  \(submission.submittedAt)
                FROM \(taken)
                """
            ]
        case .resubmitted(let submission, let member):
            return [
                one(
                    """
                    UPDATE submission SET
                      revision = \(submission.revision), answers = \(utf8: text(submission)), submitted_at = \(submission.submittedAt)
                    """, "member = \(member) AND number = \(submission.id) AND revision < \(submission.revision)")
            ]
        case .withdrawn(let submission, let member):
            return [one("DELETE FROM submission", "member = \(member) AND number = \(submission)")]
        case .revealed(let result):
            return [
                """
                INSERT INTO result (room, round, sequence, revealed_at, outcome, ballots)
                SELECT room.id, \(result.round), \(result.sequence), \(result.revealedAt),
                  \(utf8: StoredJSON.text(of: result.outcome)), \(utf8: StoredJSON.text(of: result.ballots))
                FROM \(taken)
                """
            ]
        case .decided(let menu, let round):
            return [one("UPDATE result SET decided_menu = \(menu)", "round = \(round) AND decided_menu IS NULL")]
        case .roundBegan:
            return ["DELETE FROM submission WHERE room = \(room.id) AND EXISTS (SELECT FROM \(taken))"]
        case .closed:
            return ["DELETE FROM \(taken)"]
        }
    }

    /// An update or deletion of one row that goes with the room. Where there is none although the change was taken, it divides by zero and
    /// the whole transaction is refused: that the answer says so would be too late, for by then all is committed.
    private func one(_ action: SQL, _ condition: SQL) -> SQL {
        """
        WITH taken AS (SELECT FROM \(taken)),
          done AS (\(action) WHERE room = \(room.id) AND \(condition) AND EXISTS (SELECT FROM taken) RETURNING 1)
        SELECT 1 / (SELECT count(*) FROM done) FROM taken
        """
    }

    private func text(_ submission: Submission) -> [UInt8] { StoredJSON.text(of: submission.sheet, in: room.catalogue) }
}

extension SQL {
    /// Whether a row of `room` is still in this state.
    static func isStill(_ version: RoomVersion) -> SQL {
        guard let mark = version.mark else { return "sequence = \(version.sequence)" }
        return "sequence = \(version.sequence) AND written_by = \(mark)"
    }
}
