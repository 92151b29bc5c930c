/// What a record has that no room comes to by the rules: somebody else wrote it, or a disk has damaged it. Each says what, and quotes
/// nothing that people gave.
public enum RecordFault: String, Error, Hashable, Sendable, CaseIterable {
    case tooMany = "holds more members or removed members than a room can"
    case instant = "has an instant that no clock shows, or ends before it was opened"
    case counter = "has a round, a sequence or a highest number that is out of bounds"
    case revealPolicy = "has conditions of which none can reveal it"
    case memberNumber = "has a member whose number was not given out, or not in order"
    case doubleMember = "has two members with one token"
    case removedMember = "has a member who was removed"
    case submissionNumber = "has a submission whose number or revision was not given out"
    case host = "has a host who is no member, or members and no host"
    case rounds = "does not have one result for each round that is over"
    case resultSequence = "has a result with a sequence that it has not come to"
    case decision = "has a menu chosen that is none of its result's"
    case unknownAnswers = "holds answers that its catalogue does not know"
}

extension RoomRecord {
    /// Finds what would make the room's commands fail, or trap: afterwards every number is far from overflow. In O(members); that no two
    /// members share a token, and what the answers mean, is found out where the room is made.
    func validate() throws(RecordFault) {
        guard members.count <= Limits.membersPerRoom, removed.count <= Limits.removedPerRoom else { throw .tooMany }
        guard createdAt.isShown, expiresAt.isShown, createdAt <= expiresAt, deadlineAt?.isShown ?? true else { throw .instant }
        guard Limits.rounds.contains(round), Limits.numbers.contains(sequence), Limits.numbers.contains(memberCounter),
            submissionCounter == 0 || Limits.numbers.contains(submissionCounter)
        else { throw .counter }
        guard revealWhen.canBeMet, (1...Limits.membersPerRoom).contains(revealWhen.submissions ?? 1) else { throw .revealPolicy }
        try validateMembers()
        try validateResults()
    }

    private func validateMembers() throws(RecordFault) {
        var last = 0
        var isHostThere = members.isEmpty && host == nil
        for member in members {
            guard last < member.id.number, member.id.number <= memberCounter else { throw .memberNumber }
            guard member.joinedAt.isShown, member.submission?.submittedAt.isShown ?? true else { throw .instant }
            guard !removed.contains(member.token) else { throw .removedMember }
            last = member.id.number
            if member.id == host { isHostThere = true }
            guard let submission = member.submission else { continue }
            guard 1 <= submission.id.number, submission.id.number <= submission.revision, submission.revision <= submissionCounter else {
                throw .submissionNumber
            }
        }
        guard isHostThere else { throw .host }
    }

    private func validateResults() throws(RecordFault) {
        // The last of the rounds may still be played.
        guard results.count == round || results.count == round - 1 else { throw .rounds }
        for (index, result) in results.enumerated() {
            guard result.round == index + 1 else { throw .rounds }
            guard result.revealedAt.isShown else { throw .instant }
            guard 1 <= result.sequence, result.sequence <= sequence else { throw .resultSequence }
            if let decision = result.decision {
                guard result.outcome.menus.contains(where: { $0.id == decision }) else { throw .decision }
            }
        }
    }
}

extension Instant {
    fileprivate var isShown: Bool { Limits.instants.contains(milliseconds) }
}
