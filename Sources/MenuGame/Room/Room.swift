/// A group deciding what to eat: its members, what they submitted, and what came out.
///
/// A value: whoever changes it changes a copy, and it becomes the room only once a store has it. Every method that changes something
/// records what happened in `events`; one that has nothing to change records nothing.
public struct Room: Sendable {
    /// The room for good, while its PIN may be drawn again. Also the seed of its lots (S10).
    public let id: Identifier
    /// What people find it by for as long as it lives.
    public let pin: PIN
    /// Played with to the end, whatever catalogue the server has by then.
    public let catalogue: Catalogue
    public let createdAt: Instant
    /// From this instant on there is no such room.
    public let expiresAt: Instant
    public let revealWhen: RevealPolicy
    /// `nil` where there is none. It reveals the room only if `revealWhen.deadline` says so.
    public let deadlineAt: Instant?

    /// From 1 on.
    public private(set) var round: Int
    /// Rises by one with every event, over all rounds and restarts; 1 in a new room.
    public private(set) var sequence: Int
    /// In the order of joining.
    public private(set) var members: [Member]
    /// `nil` only while nobody is in the room.
    public private(set) var host: MemberID?
    /// One a round, in order.
    public private(set) var results: [RoundResult]
    /// The highest member number given out so far.
    public private(set) var memberCounter: Int
    /// The highest submission number given out so far, over all members and rounds.
    public private(set) var submissionCounter: Int

    /// What happened since the value was made or `takeEvents()` was called.
    public private(set) var events: [RoomEvent] = []
    /// The sequence at which the submissions were last different: a recommendation made of them holds for as long as it stands.
    public private(set) var submissionsSequence: Int

    private var tally: Tally
    private var places: [TokenHash: Int]

    /// How far the current round is; within a round it never goes back. The names are those of the API.
    public enum Phase: String, Sendable {
        case open, revealed
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
        self.id = id
        self.pin = pin
        self.catalogue = catalogue
        createdAt = now
        expiresAt = now.advanced(by: lifetime)
        self.revealWhen = revealWhen
        self.deadlineAt = deadlineAt
        round = 1
        sequence = 0
        members = []
        results = []
        memberCounter = 0
        submissionCounter = 0
        submissionsSequence = 0
        tally = Tally(for: catalogue)
        places = [:]
        add(token, nickname, at: now)
    }

    /// The room that a store wrote down, in O(members × menus), for the tally is made anew. Nothing has happened in it yet.
    ///
    /// - Parameter catalogue: the one with the record's fingerprint.
    /// - Throws: `AnswerFaults` where it holds answers that its catalogue does not know: the record is not this catalogue's.
    public init(_ record: RoomRecord, catalogue: Catalogue) throws(AnswerFaults) {
        id = record.id
        pin = record.pin
        self.catalogue = catalogue
        createdAt = record.createdAt
        expiresAt = record.expiresAt
        revealWhen = record.revealWhen
        deadlineAt = record.deadlineAt
        round = record.round
        sequence = record.sequence
        submissionsSequence = record.sequence
        host = record.host
        results = record.results
        memberCounter = record.memberCounter
        submissionCounter = record.submissionCounter
        tally = Tally(for: catalogue)
        members = []
        places = [:]
        for stored in record.members {
            var member = Member(id: stored.id, token: stored.token, nickname: stored.nickname, joinedAt: stored.joinedAt)
            if let submission = stored.submission {
                let sheet = try AnswerSheet(submission.answers, in: catalogue)
                member.submission = Submission(
                    id: submission.id, revision: submission.revision, sheet: sheet, submittedAt: submission.submittedAt)
                tally.add(sheet, in: catalogue)
            }
            places[member.token] = members.count
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

// MARK: - What can be seen

extension Room {
    /// `revealed` as soon as the current round has its result.
    public var phase: Phase { result == nil ? .open : .revealed }

    /// The result of the current round.
    public var result: RoundResult? { result(of: round) }

    /// `nil` where that round has not been revealed, or has not been.
    public func result(of round: Int) -> RoundResult? { results.last { $0.round == round } }

    /// Members who have submitted in the current round, in O(1).
    public var submissionCount: Int { tally.members }

    /// The member with that token, in O(1); `nil` for a stranger.
    public func member(_ token: TokenHash) -> Member? { places[token].map { members[$0] } }

    /// What somebody is in the room: all false for a stranger.
    public func standing(of token: TokenHash) -> (isMember: Bool, isHost: Bool, hasSubmitted: Bool) {
        guard let place = places[token] else { return (false, false, false) }
        return (true, members[place].id == host, members[place].submission != nil)
    }

    public func isHost(_ member: Member) -> Bool { member.id == host }

    /// Whether its life is over: from then on it answers like a room that never was.
    public func isExpired(at now: Instant) -> Bool { expiresAt <= now }
}

// MARK: - Members

extension Room {
    /// Lets somebody in. Who is in already stays who they are; `nickname` then renames them unless it is `nil`.
    ///
    /// - Parameter nickname: `.some(nil)` for none.
    /// - Returns: whether they are new.
    /// - Throws: `roomFull`, for somebody new.
    public mutating func join(_ token: TokenHash, nickname: Nickname??, at now: Instant) throws(Refusal) -> Bool {
        if let place = places[token] {
            if let nickname, nickname != members[place].nickname {
                members[place].nickname = nickname
                record(.renamed(members[place].id, nickname))
            }
            return false
        }
        guard members.count < Limits.membersPerRoom else { throw .roomFull }
        add(token, nickname ?? nil, at: now)
        return true
    }

    /// Lets a member out; their submission goes too, and a host hands over to whoever has been there longest. O(members).
    ///
    /// - Throws: `notMember`.
    public mutating func leave(_ token: TokenHash) throws(Refusal) {
        guard let place = places[token] else { throw .notMember }
        let member = members[place]
        if let submission = member.submission {
            tally.remove(submission.sheet, in: catalogue)
        }
        members.remove(at: place)
        places[token] = nil
        for later in place..<members.count { places[members[later].token] = later }
        record(.left(member.id))
        if member.submission != nil { submissionsSequence = sequence }
        if host == member.id {
            host = members.first?.id
            record(.handedOver(to: host))
        }
    }

    private mutating func add(_ token: TokenHash, _ nickname: Nickname?, at now: Instant) {
        memberCounter += 1
        let member = Member(id: MemberID(number: memberCounter), token: token, nickname: nickname, joinedAt: now)
        places[token] = members.count
        members.append(member)
        record(.joined(member))
        if host == nil {
            host = member.id
            // The first member of a new room is its host by being the first; only a room that had been left needs to be told.
            if memberCounter > 1 { record(.handedOver(to: host)) }
        }
    }
}

// MARK: - Submissions

extension Room {
    /// Takes somebody's answers, in place of any that they gave before; lets them in if need be.
    ///
    /// - Parameter sheet: made with the room's own catalogue.
    /// - Returns: the submission, and whether it is a new one and not a revision.
    /// - Throws: `alreadyRevealed`; `roomFull`, for somebody new.
    public mutating func submit(
        _ sheet: AnswerSheet, by token: TokenHash, at now: Instant
    ) throws(Refusal) -> (submission: Submission, isNew: Bool) {
        guard phase == .open else { throw .alreadyRevealed }
        _ = try join(token, nickname: nil, at: now)
        guard let place = places[token] else { throw .notMember }
        let member = members[place].id
        let submission: Submission
        if let former = members[place].submission {
            submission = Submission(id: former.id, revision: former.revision + 1, sheet: sheet, submittedAt: now)
            tally.remove(former.sheet, in: catalogue)
            record(.resubmitted(submission, by: member))
        } else {
            submissionCounter += 1
            submission = Submission(id: SubmissionID(number: submissionCounter), revision: 1, sheet: sheet, submittedAt: now)
            record(.submitted(submission, by: member))
        }
        tally.add(sheet, in: catalogue)
        members[place].submission = submission
        submissionsSequence = sequence
        return (submission, submission.revision == 1)
    }

    /// Takes a submission back. Where there is none, none is left: that is no fault.
    ///
    /// - Throws: `alreadyRevealed`.
    public mutating func withdraw(_ token: TokenHash) throws(Refusal) {
        guard phase == .open else { throw .alreadyRevealed }
        guard let place = places[token], let submission = members[place].submission else { return }
        tally.remove(submission.sheet, in: catalogue)
        members[place].submission = nil
        record(.withdrawn(submission.id, by: members[place].id))
        submissionsSequence = sequence
    }
}

// MARK: - The reveal

extension Room {
    /// Since when, or from when on, the clock or the number of submissions says that the result is to be revealed; `nil` where neither
    /// does. O(members).
    ///
    /// A deadline before which nobody has submitted is spent, and the room stays open.
    public var dueAt: Instant? {
        guard phase == .open, submissionCount > 0 else { return nil }
        let submitted = members.lazy.compactMap { $0.submission?.submittedAt }
        var instants: [Instant] = []
        if let enough = revealWhen.submissions, submissionCount >= enough, let last = submitted.max() { instants.append(last) }
        if revealWhen.deadline, let deadlineAt, submitted.contains(where: { $0 < deadlineAt }) { instants.append(deadlineAt) }
        return instants.min()
    }

    /// Whether `dueAt` has come. Asked on every command, so rooms that only people reveal are answered without a look at the members.
    public func isDue(at now: Instant) -> Bool {
        guard revealWhen.deadline || revealWhen.submissions != nil else { return false }
        return dueAt.map { $0 <= now } ?? false
    }

    /// Whether this caller may have the result revealed: nobody must be left with a room that nothing can reveal any more.
    ///
    /// - Throws: `notMember` or `notHost` where not. Whether there is anything to reveal is `reveal`'s to say.
    public func mayReveal(_ token: TokenHash, at now: Instant) throws(Refusal) {
        guard let member = member(token) else { throw revealWhen.anyMember ? .notMember : .notHost }
        let isDeadlineSpent = revealWhen.deadline && deadlineAt.map { $0 <= now } ?? false
        guard revealWhen.anyMember || (revealWhen.host || isDeadlineSpent) && isHost(member) else { throw .notHost }
    }

    /// What the rule makes of the submissions as they are. Pure, and the one computation here that takes time.
    public func recommendation() -> Recommendation {
        let ballots = members.compactMap { $0.submission.map { Ballot($0.sheet) } }
        return Recommendation(of: ballots, tally: tally, in: catalogue, seed: id.text)
    }

    /// Freezes the result. Once revealed, it stays.
    ///
    /// - Parameter computed: of the submissions as they are (check `submissionsSequence`); computed here where it is `nil`.
    /// - Returns: the round's result, the earlier one if there is one.
    /// - Throws: `noSubmissions`.
    public mutating func reveal(_ computed: Recommendation? = nil, at now: Instant) throws(Refusal) -> RoundResult {
        if let result { return result }
        guard submissionCount > 0 else { throw .noSubmissions }
        let result = RoundResult(
            round: round, sequence: sequence + 1, revealedAt: now,
            outcome: Outcome(computed ?? recommendation(), in: catalogue, seed: id.text, ofGroup: true), ballots: anonymousBallots())
        results.append(result)
        record(.revealed(result))
        return result
    }

    /// The submissions without their givers, sorted by what they say.
    private func anonymousBallots() -> [AnswerDraft] {
        members.compactMap { $0.submission?.sheet }.sorted().map { $0.draft(in: catalogue) }
    }
}
