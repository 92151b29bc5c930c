import GameJSON
import MenuGame
import TestSupport
import Testing

@Suite("A room's host")
struct RoomHostTests {
    private var room: Room
    private let start = Instant(milliseconds: 1_790_000_000_000)

    init() throws {
        room = Room(
            id: Identifier("r_1"), pin: try #require(PIN("004217")), catalogue: try Catalogues.shipped(), host: Self.token(1),
            nickname: nil, revealWhen: RevealPolicy(), deadlineAt: nil, lifetime: 1000, at: start)
        for number in 2...4 { _ = try room.join(Self.token(number), nickname: nil, at: start) }
        _ = room.takeEvents()
    }

    private static func token(_ number: Int) -> TokenHash { TokenHash.beginning([UInt8(number)]) }

    private func sheet(_ vetoes: String...) throws -> AnswerSheet { try AnswerSheet(AnswerDraft(vetoes: vetoes), in: room.catalogue) }

    private mutating func play() throws -> [Identifier] {
        _ = try room.submit(sheet(), by: Self.token(2), at: start)
        return try room.reveal(at: start).outcome.menus.map(\.id)
    }

    @Test("Everything that is theirs is refused to anybody else, and leaves the room as it was")
    mutating func hostOnly() throws {
        let menus = try play()
        let before = RoomRecord(room)
        for other in [Self.token(2), Self.token(9)] {
            #expect(throws: Refusal.notHost) { try room.handOver(to: MemberID(number: 2), by: other) }
            #expect(throws: Refusal.notHost) { try room.remove(MemberID(number: 3), by: other) }
            #expect(throws: Refusal.notHost) { try room.decide(on: menus[0], by: other) }
            #expect(throws: Refusal.notHost) { try room.beginRound(by: other, at: start) }
            #expect(throws: Refusal.notHost) { try room.close(by: other) }
        }
        #expect(RoomRecord(room) == before)
        #expect(!room.isClosed)
    }

    @Test("hands over to a member and to nobody else; to themself is nothing")
    mutating func handOver() throws {
        #expect(throws: Refusal.unknownMember) { try room.handOver(to: MemberID(number: 5), by: Self.token(1)) }
        try room.handOver(to: MemberID(number: 1), by: Self.token(1))
        #expect(room.takeEvents().isEmpty)
        try room.handOver(to: MemberID(number: 3), by: Self.token(1))
        #expect(room.takeEvents() == [.handedOver(to: MemberID(number: 3))])
        #expect(room.standing(of: Self.token(3)).isHost)
        #expect(!room.standing(of: Self.token(1)).isHost)
        #expect(throws: Refusal.notHost) { try room.handOver(to: MemberID(number: 1), by: Self.token(1)) }
        // Whoever has been there longest is next, not whoever was host before.
        try room.leave(Self.token(1))
        try room.leave(Self.token(3))
        #expect(room.host == MemberID(number: 2))
    }

    @Test("removes a member for good, answers and all; others can come, and come back")
    mutating func remove() throws {
        let nobody = room.recommendation()
        _ = try room.submit(sheet("meat", "seafood"), by: Self.token(3), at: start)
        try room.remove(MemberID(number: 3), by: Self.token(1))
        #expect(room.members.map(\.id.number) == [1, 2, 4])
        #expect(room.submissionCount == 0)
        #expect(room.recommendation() == nobody)
        #expect(throws: Refusal.removed) { try room.join(Self.token(3), nickname: nil, at: start) }
        #expect(throws: Refusal.removed) { try room.submit(sheet(), by: Self.token(3), at: start) }
        // Those behind them are still who they were.
        #expect(room.member(Self.token(4))?.id == MemberID(number: 4))
        try room.leave(Self.token(2))
        #expect(try room.join(Self.token(2), nickname: nil, at: start))
        #expect(try room.join(Self.token(5), nickname: nil, at: start))

        let sequence = room.sequence
        try room.remove(MemberID(number: 3), by: Self.token(1))
        #expect(room.sequence == sequence)
        for number in [0, -1, 99, Int.max] {
            #expect(throws: Refusal.unknownMember) { try room.remove(MemberID(number: number), by: Self.token(1)) }
        }
    }

    @Test("who names themself leaves, and can come back")
    mutating func removeThemself() throws {
        try room.remove(MemberID(number: 1), by: Self.token(1))
        #expect(room.host == MemberID(number: 2))
        #expect(try room.join(Self.token(1), nickname: nil, at: start))
        #expect(room.host == MemberID(number: 2))
    }

    @Test("decides on one of the menus that were recommended, once")
    mutating func decide() throws {
        #expect(throws: Refusal.notRevealed) { try room.decide(on: Identifier("bibimbap"), by: Self.token(1)) }
        let menus = try play()
        let other = try #require(room.catalogue.menus.map(\.id).first { !menus.contains($0) })
        #expect(throws: Refusal.unknownMenu) { try room.decide(on: other, by: Self.token(1)) }
        #expect(room.phase == .revealed)
        let sequence = room.sequence
        try room.decide(on: menus[1], by: Self.token(1))
        try room.decide(on: menus[1], by: Self.token(1))
        #expect(room.sequence == sequence + 1)
        #expect(room.phase == .decided)
        #expect(throws: Refusal.alreadyDecided) { try room.decide(on: menus[0], by: Self.token(1)) }
        #expect(room.result?.decision == menus[1])
    }

    @Test("begins another round with the same members, in which menus that were shown before come last")
    mutating func rounds() throws {
        #expect(throws: Refusal.notRevealed) { try room.beginRound(by: Self.token(1), at: start) }
        var shown = Set(try play())
        for round in 2...5 {
            let sequence = room.sequence
            try room.beginRound(by: Self.token(1), at: start)
            #expect(room.sequence == sequence + 1)
            #expect(room.round == round)
            #expect(room.phase == .open)
            #expect(room.submissionCount == 0)
            #expect(room.members.map(\.id.number) == [1, 2, 3, 4])
            #expect(throws: Refusal.noSubmissions) { try room.reveal(at: start) }
            let menus = try play()
            #expect(menus.count == 3)
            #expect(shown.isDisjoint(with: menus))
            shown.formUnion(menus)
            #expect(try Room(RoomRecord(room), catalogue: room.catalogue).recommendation() == room.recommendation())
        }
        #expect(room.results.map(\.round) == [1, 2, 3, 4, 5])
    }

    @Test("A result is of its own round: vetoes and answers of an earlier one no longer count")
    mutating func noLeftovers() throws {
        _ = try room.submit(sheet("meat"), by: Self.token(2), at: start)
        _ = try room.submit(sheet(), by: Self.token(3), at: start)
        _ = try room.reveal(at: start)
        try room.beginRound(by: Self.token(1), at: start)
        _ = try room.submit(sheet(), by: Self.token(3), at: start)
        let result = try room.reveal(at: start)
        #expect(result.outcome.playerCount == 1)
        #expect(result.outcome.excludedMenus == 0)
        #expect(result.ballots.count == 1)
    }

    @Test(
        "gives a round a deadline of its own, which lies ahead and before the room's end, or none, or leaves the room's unless it is over")
    mutating func roundDeadline() throws {
        _ = try play()
        let sequence = room.sequence
        for wrong in [start, start.advanced(by: -1), room.expiresAt] {
            #expect(throws: Refusal.badDeadline) { try room.beginRound(by: Self.token(1), deadlineAt: wrong, at: start) }
        }
        #expect(room.sequence == sequence && room.phase != .open && room.deadlineAt == nil)
        let deadline = start.advanced(by: 1)
        try room.beginRound(by: Self.token(1), deadlineAt: deadline, at: start)
        #expect(room.deadlineAt == deadline)
        _ = try play()
        try room.beginRound(by: Self.token(1), at: start)
        #expect(room.deadlineAt == deadline)
        _ = try play()
        var other = room
        try room.beginRound(by: Self.token(1), at: deadline)
        #expect(room.deadlineAt == nil)
        try other.beginRound(by: Self.token(1), deadlineAt: .some(nil), at: start)
        #expect(other.deadlineAt == nil)
    }

    @Test("may go on for as many rounds as a room can remember")
    mutating func manyRounds() throws {
        for _ in 1..<Limits.roundsPerRoom {
            _ = try play()
            try room.beginRound(by: Self.token(1), at: start)
        }
        _ = try play()
        #expect(throws: Refusal.exhausted) { try room.beginRound(by: Self.token(1), at: start) }
        #expect(room.phase == .revealed)
    }

    @Test("may remove as many as a room can remember, so that one who was removed is never forgotten")
    mutating func manyRemoved() throws {
        for number in 0..<Limits.removedPerRoom {
            let token = TokenHash.beginning([200, UInt8(number >> 8), UInt8(number & 255)])
            _ = try room.join(token, nickname: nil, at: start)
            try room.remove(MemberID(number: number + 5), by: Self.token(1))
        }
        #expect(throws: Refusal.exhausted) { try room.remove(MemberID(number: 2), by: Self.token(1)) }
        #expect(throws: Refusal.removed) { try room.join(TokenHash.beginning([200, 0, 0]), nickname: nil, at: start) }
    }

    @Test("closes it")
    mutating func close() throws {
        try room.close(by: Self.token(1))
        #expect(room.isClosed)
        #expect(room.takeEvents() == [.closed])
    }
}
