import MenuGame
import TestSupport
import Testing

@testable import UseCases

@Suite("What phones are told of") struct PushNoticeTests {
    private let now = Sample.now

    /// What there is to tell after `body` was done to a room with so many members.
    private func notice(members: Int = 3, at instant: Instant? = nil, _ body: (inout Room) throws -> Void) throws -> PushNotice? {
        var room = Sample.room("r_1", pin: try Sample.pin(1))
        for number in stride(from: 2, through: members, by: 1) { _ = try room.join(Sample.token(number), nickname: nil, at: now) }
        _ = room.takeEvents()
        try body(&room)
        return PushNotice(room.takeEvents(), in: room, at: instant ?? now)
    }

    private func submit(_ room: inout Room, _ numbers: Int...) throws {
        for number in numbers { _ = try room.submit(try Sample.sheet(), by: Sample.token(number), at: now) }
    }

    private func decide(_ room: inout Room) throws {
        let menu = try #require(room.result?.outcome.menus.first?.id)
        try room.decide(on: menu, by: Sample.token(1))
    }

    @Test("is that everybody has answered, when the last has") func allSubmitted() throws {
        #expect(try notice { try submit(&$0, 1, 2) } == nil)
        let all = try #require(try notice { try submit(&$0, 1, 2, 3) })
        #expect(all.stage == .allSubmitted && all.phase == .open)
        #expect(all.memberCount == 3 && all.submissionCount == 3)
        // Also when the last goes who had not.
        #expect(
            try notice {
                try submit(&$0, 1, 2); try $0.leave(Sample.token(3))
            }?.stage == .allSubmitted)
        // Not when somebody thinks again, or was alone.
        #expect(
            try notice {
                try submit(&$0, 1, 2, 3); _ = $0.takeEvents(); try submit(&$0, 3)
            } == nil)
        #expect(try notice(members: 1) { try submit(&$0, 1) } == nil)
        #expect(
            try notice {
                try submit(&$0, 1, 2, 3); _ = try $0.join(Sample.token(4), nickname: nil, at: now)
            } == nil)
    }

    @Test("is the result and the decision, each when it comes") func stages() throws {
        let revealed = try #require(
            try notice {
                try submit(&$0, 1); try $0.showResult(at: now)
            })
        #expect(revealed.stage == .revealed && revealed.phase == .revealed && revealed.sequence > 0)
        let decided = try #require(
            try notice {
                try submit(&$0, 1); try $0.showResult(at: now); _ = $0.takeEvents(); try decide(&$0)
            })
        #expect(decided.stage == .decided && decided.phase == .decided)
        #expect(decided.order > revealed.order)
        #expect(
            try notice {
                try submit(&$0, 1); try $0.showResult(at: now); _ = $0.takeEvents();
                _ = try $0.join(Sample.token(9), nickname: nil, at: now)
            } == nil)
    }

    @Test("is the end of a room in which nothing was decided") func over() throws {
        #expect(try notice { try $0.close(by: Sample.token(1)) }?.stage == .over)
        #expect(
            try notice {
                try submit(&$0, 1); try $0.showResult(at: now); try decide(&$0); try $0.close(by: Sample.token(1))
            } == nil)
    }

    @Test("is worth telling for a while, and never longer than the room lives") func expiry() throws {
        let room = Sample.room("r_1", pin: try Sample.pin(1))
        let soon = try #require(
            try notice {
                try submit(&$0, 1); try $0.showResult(at: now)
            })
        #expect(soon.expiresAt == now.advanced(by: PushNotice.lifetime))
        let late = room.expiresAt.advanced(by: -1000)
        #expect(
            try notice(at: late) {
                try submit(&$0, 1); try $0.showResult(at: now)
            }?.expiresAt == room.expiresAt)
        // That it is over is told when it is.
        #expect(try notice(at: late) { try $0.close(by: Sample.token(1)) }?.expiresAt == late.advanced(by: PushNotice.lifetime))
    }

    @Test("has an order: by sequence, and at one sequence by what comes later") func order() {
        let stages = PushStage.allCases.sorted { $0.rank < $1.rank }
        #expect(Set(stages.map(\.rank)).count == stages.count)
        for (earlier, later) in zip(stages, stages.dropFirst()) { #expect(PushNotice.order(7, earlier) < PushNotice.order(7, later)) }
        #expect(PushNotice.order(7, .over) < PushNotice.order(8, .allSubmitted))
    }
}
