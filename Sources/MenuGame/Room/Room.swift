/// A group deciding what to eat: its members, what they submitted, and what came out.
///
/// A value: whoever changes it changes a copy, and it becomes the room only once a store has it. Every method that changes something
/// records what happened in `events`; one that has nothing to change records nothing.
public struct Room: Sendable {
    public let terms: Terms
    /// Of the current round, or of an earlier one that was not given another; `nil` where there is none. It reveals the room only if
    /// `revealWhen.deadline` says so.
    public internal(set) var deadlineAt: Instant?
    /// From 1 on.
    public internal(set) var round: Int
    /// Rises by one with every event, over all rounds and restarts; 1 in a new room.
    public internal(set) var sequence: Int
    /// In the order of joining.
    public internal(set) var members: [Member]
    /// `nil` only while nobody is in the room.
    public internal(set) var host: MemberID?
    /// Who was removed by a host and may not come back.
    public internal(set) var removed: Set<TokenHash>
    /// One a revealed round, in order.
    public internal(set) var results: [RoundResult]
    /// The highest member number given out so far.
    public internal(set) var memberCounter: Int
    /// The highest number that a submission or a revision of one was given so far, over all members and rounds.
    public internal(set) var submissionCounter: Int

    /// Whether the host has closed it: then it answers like a room that never was.
    public internal(set) var isClosed = false

    /// What happened since the value was made or `takeEvents()` was called.
    public internal(set) var events: [RoomEvent] = []
    /// The sequence at which the submissions were last different: a recommendation made of them holds for as long as it stands.
    public internal(set) var submissionsSequence: Int

    /// Members who have submitted in the current round.
    public internal(set) var submissionCount: Int
    /// Where in `members` somebody is.
    var places: [TokenHash: Int]

    /// How far the current round is; within a round it never goes back. The names are those of the API.
    public enum Phase: String, Sendable {
        case open, revealed, decided
    }

    /// Opens a room with its host as the first member.
    ///
    /// - Parameters:
    ///   - nickname: the host's; `nil` for none.
    ///   - deadlineAt: `nil` for none; that it lies within the room's life is the caller's to check.
    ///   - lifetime: milliseconds from `now` to the room's end.
    public init(
        id: Identifier, pin: PIN, catalogue: Catalogue, host token: TokenHash, nickname: Nickname?, revealWhen: RevealPolicy,
        deadlineAt: Instant?, lifetime: Int64, at now: Instant
    ) {
        terms = Terms(
            id: id, pin: pin, catalogue: catalogue, createdAt: now, expiresAt: now.advanced(by: lifetime), revealWhen: revealWhen,
            openedBy: token)
        self.deadlineAt = deadlineAt
        round = 1
        sequence = 0
        members = []
        removed = []
        results = []
        memberCounter = 0
        submissionCounter = 0
        submissionsSequence = 0
        submissionCount = 0
        places = [:]
        add(token, nickname, at: now)
    }

    /// The room that a store wrote down, in O(members). Nothing has happened in it yet.
    ///
    /// - Parameter catalogue: the one with the record's fingerprint.
    /// - Throws: where the record is that of no room, or not this catalogue's.
    public init(_ record: RoomRecord, catalogue: Catalogue) throws(RecordFault) {
        try record.validate()
        terms = Terms(
            id: record.id, pin: record.pin, catalogue: catalogue, createdAt: record.createdAt, expiresAt: record.expiresAt,
            revealWhen: record.revealWhen, openedBy: record.openedBy)
        deadlineAt = record.deadlineAt
        round = record.round
        sequence = record.sequence
        submissionsSequence = record.sequence
        host = record.host
        removed = record.removed
        results = record.results
        memberCounter = record.memberCounter
        submissionCounter = record.submissionCounter
        submissionCount = 0
        members = []
        places = [:]
        for stored in record.members {
            var member = Member(id: stored.id, token: stored.token, nickname: stored.nickname, joinedAt: stored.joinedAt)
            if let submission = stored.submission {
                let sheet: AnswerSheet
                do throws(AnswerFaults) { sheet = try AnswerSheet(submission.answers, in: catalogue) } catch { throw .unknownAnswers }
                member.submission = Submission(
                    id: submission.id, revision: submission.revision, sheet: sheet, submittedAt: submission.submittedAt)
                submissionCount += 1
            }
            guard places.updateValue(members.count, forKey: member.token) == nil else { throw .doubleMember }
            members.append(member)
        }
    }

    /// What happened, to be written down; afterwards nothing has.
    public mutating func takeEvents() -> [RoomEvent] {
        defer { events = [] }
        return events
    }

    mutating func record(_ event: RoomEvent) {
        sequence += 1
        events.append(event)
    }
}

extension Room {
    /// `revealed` as soon as the current round has its result, `decided` as soon as that has one of its menus chosen.
    public var phase: Phase {
        guard let result else { return .open }
        return result.decision == nil ? .revealed : .decided
    }

    /// The result of the current round.
    public var result: RoundResult? { result(of: round) }

    /// `nil` where that round has not been revealed, or has not been.
    public func result(of round: Int) -> RoundResult? { results.last { $0.round == round } }

    /// The member with that token, in O(1); `nil` for a stranger.
    public func member(_ token: TokenHash) -> Member? { places[token].map { members[$0] } }

    /// What somebody is in the room: all false for a stranger.
    public func standing(of token: TokenHash) -> (isMember: Bool, isHost: Bool, hasSubmitted: Bool) {
        guard let place = places[token] else { return (false, false, false) }
        return (true, isHost(members[place].id), members[place].submission != nil)
    }

    public func isHost(_ member: MemberID) -> Bool { member == host }

    /// Whether its life is over: from then on it answers like a room that never was.
    public func isExpired(at now: Instant) -> Bool { expiresAt <= now }
}
