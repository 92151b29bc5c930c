import MenuGame
import TestSupport
import Testing

@Suite("A record") struct RecordFaultTests {
    /// Something done to the record of a room that is whole.
    struct Damage: Sendable, CustomTestStringConvertible {
        let fault: RecordFault
        let testDescription: String
        let make: @Sendable (inout RoomRecord) -> Void

        init(_ fault: RecordFault, _ description: String, _ make: @escaping @Sendable (inout RoomRecord) -> Void) {
            self.fault = fault
            testDescription = description
            self.make = make
        }
    }

    /// Three members, of whom two have submitted in the second round, one who was removed, and a first round that was decided.
    private static func record() throws -> RoomRecord {
        var room = Sample.room("r_1", pin: try Sample.pin(1))
        for number in 2...4 { _ = try room.join(Sample.token(number), nickname: nil, at: Sample.now) }
        try room.remove(MemberID(number: 4), by: Sample.token(1))
        _ = try room.submit(Sample.sheet(), by: Sample.token(2), at: Sample.now)
        let menu = try #require(try room.reveal(at: Sample.now).outcome.menus.first?.id)
        try room.decide(on: menu, by: Sample.token(1))
        try room.beginRound(by: Sample.token(1), at: Sample.now)
        for number in 1...2 { _ = try room.submit(Sample.sheet(), by: Sample.token(number), at: Sample.now) }
        return RoomRecord(room)
    }

    private static let tooHigh = 1 << 53 + 1

    private static func result(
        of record: RoomRecord, round: Int? = nil, sequence: Int? = nil, revealedAt: Instant? = nil, decision: Identifier? = nil
    ) -> RoundResult {
        let result = record.results[0]
        return RoundResult(
            round: round ?? result.round, sequence: sequence ?? result.sequence, revealedAt: revealedAt ?? result.revealedAt,
            outcome: result.outcome, ballots: result.ballots, decision: decision ?? result.decision)
    }

    private static func member(_ record: RoomRecord, _ place: Int, number: Int, joinedAt: Instant? = nil) -> RoomRecord.Member {
        let member = record.members[place]
        return RoomRecord.Member(
            id: MemberID(number: number), token: member.token, nickname: member.nickname, joinedAt: joinedAt ?? member.joinedAt,
            submission: member.submission)
    }

    /// Every stored number, where it is given one that it cannot have.
    private static let numbers: [(RecordFault, String, @Sendable (inout RoomRecord, Int) -> Void)] = [
        (.counter, "round", { $0.round = $1 }),
        (.counter, "sequence", { $0.sequence = $1 }),
        (.counter, "highest member", { $0.memberCounter = $1 }),
        (.counter, "highest submission", { $0.submissionCounter = $1 }),
        (.host, "host", { $0.host = MemberID(number: $1) }),
        (.revealPolicy, "submissions that reveal", { $0.revealWhen.submissions = $1 }),
        (.instant, "creation", { $0.createdAt = instant($1) }),
        (.instant, "end", { $0.expiresAt = instant($1) }),
        (.instant, "deadline", { $0.deadlineAt = instant($1) }),
        (.memberNumber, "member's number", { $0.members[2] = member($0, 2, number: $1) }),
        (.instant, "joining", { $0.members[2] = member($0, 2, number: 3, joinedAt: instant($1)) }),
        (.submissionNumber, "submission's number", { $0.members[0].submission?.id = SubmissionID(number: $1) }),
        (.submissionNumber, "revision", { $0.members[0].submission?.revision = $1 }),
        (.instant, "submission's instant", { $0.members[0].submission?.submittedAt = instant($1) }),
        (.rounds, "result's round", { $0.results = [result(of: $0, round: $1)] }),
        (.resultSequence, "result's sequence", { $0.results = [result(of: $0, sequence: $1)] }),
        (.instant, "reveal", { $0.results = [result(of: $0, revealedAt: instant($1))] }),
    ]

    private static func instant(_ milliseconds: Int) -> Instant { Instant(milliseconds: Int64(milliseconds)) }

    static let badNumbers: [Damage] = numbers.flatMap { fault, name, set in
        [Int.max, tooHigh, -1, Int.min].map { number in Damage(fault, "\(name) \(number)") { set(&$0, number) } }
    }

    static let contradictions: [Damage] = [
        Damage(.tooMany, "501 members") { record in
            record.memberCounter = 501
            record.members += (4...501).map {
                RoomRecord.Member(id: MemberID(number: $0), token: Sample.token(1000 + $0), nickname: nil, joinedAt: Sample.now)
            }
        },
        Damage(.tooMany, "5001 removed") { record in record.removed = Set((10_000...15_000).map(Sample.token)) },
        Damage(.instant, "ends before it was opened") { $0.expiresAt = $0.createdAt.advanced(by: -1) },
        Damage(.counter, "a round too many") { $0.round = Limits.roundsPerRoom + 1 },
        Damage(.counter, "no members ever") { $0.memberCounter = 0 },
        Damage(.revealPolicy, "nothing reveals it") { $0.revealWhen = RevealPolicy(host: false) },
        Damage(.revealPolicy, "more submissions than members") { $0.revealWhen.submissions = Limits.membersPerRoom + 1 },
        Damage(.memberNumber, "highest below a member's") { $0.memberCounter = 2 },
        Damage(.memberNumber, "one number twice") { $0.members[2] = member($0, 2, number: 2) },
        Damage(.doubleMember, "one token twice") { record in
            let third = record.members[2]
            record.members[2] = RoomRecord.Member(
                id: third.id, token: record.members[1].token, nickname: third.nickname, joinedAt: third.joinedAt)
        },
        Damage(.removedMember, "a removed member") { $0.removed.insert($0.members[1].token) },
        Damage(.submissionNumber, "highest below a submission's") { $0.submissionCounter = 1 },
        Damage(.submissionNumber, "revision below the number") { $0.members[1].submission?.revision = 2 },
        Damage(.host, "host has left") { $0.host = MemberID(number: 4) },
        Damage(.host, "no host") { $0.host = nil },
        Damage(.host, "host of nobody") { $0.members = [] },
        Damage(.rounds, "a result of a later round") { $0.results = [result(of: $0, round: 3)] },
        Damage(.rounds, "a round without a result") { $0.results = [] },
        Damage(.rounds, "more results than rounds") {
            $0.round = 1; $0.results.append(result(of: $0, round: 2))
        },
        Damage(.resultSequence, "a result of a later sequence") { $0.results = [result(of: $0, sequence: $0.sequence + 1)] },
        Damage(.decision, "another menu chosen") { $0.results = [result(of: $0, decision: Identifier("no-such"))] },
        Damage(.unknownAnswers, "unknown answers") { $0.members[0].submission?.answers.vetoes = ["no-such"] },
    ]

    @Test("that no room comes to by the rules is none, and says which", arguments: badNumbers + contradictions)
    func damaged(_ damage: Damage) throws {
        var record = try Self.record()
        damage.make(&record)
        #expect(throws: damage.fault) { try Room(record, catalogue: Sample.catalogue) }
    }

    @Test("has every fault tried at least once") func all() {
        #expect(Set((Self.badNumbers + Self.contradictions).map(\.fault)) == Set(RecordFault.allCases))
    }

    @Test("of a room that is whole, that everybody has left, or whose numbers were raised after a restore is that room")
    func whole() throws {
        let record = try Self.record()
        #expect(RoomRecord(try Room(record, catalogue: Sample.catalogue)) == record)
        var left = record
        (left.members, left.host) = ([], nil)
        #expect(RoomRecord(try Room(left, catalogue: Sample.catalogue)) == left)
        var raised = record
        for counter in [\RoomRecord.sequence, \.memberCounter, \.submissionCounter] { raised[keyPath: counter] += 1_800_000_000_000 }
        var room = try Room(raised, catalogue: Sample.catalogue)
        _ = try room.submit(Sample.sheet(), by: Sample.token(9), at: Sample.now)
        #expect(RoomRecord(try Room(RoomRecord(room), catalogue: Sample.catalogue)) == RoomRecord(room))
    }
}
