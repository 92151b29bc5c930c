public import MenuGame

extension RoomRecord {
    /// The room's values, to compare with what a store gives back.
    public init(_ room: Room) {
        self.init(
            id: room.id, pin: room.pin, catalogue: room.catalogue.fingerprint, createdAt: room.createdAt, expiresAt: room.expiresAt,
            revealWhen: room.revealWhen, deadlineAt: room.deadlineAt, openedBy: room.openedBy, round: room.round, sequence: room.sequence,
            host: room.host,
            memberCounter: room.memberCounter, submissionCounter: room.submissionCounter)
        removed = room.removed
        results = room.results
        members = room.members.map { member in
            Member(
                id: member.id, token: member.token, nickname: member.nickname, joinedAt: member.joinedAt,
                submission: member.submission.map {
                    Submission(id: $0.id, revision: $0.revision, answers: $0.sheet.draft(in: room.catalogue), submittedAt: $0.submittedAt)
                })
        }
    }
}
