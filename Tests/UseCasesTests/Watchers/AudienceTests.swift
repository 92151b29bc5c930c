import Dispatch
import MenuGame
import TestSupport
import Testing

@testable import UseCases

@Suite("An audience") struct AudienceTests {
    /// A room of so many, at a moment of their joining.
    private func room(_ members: Int) throws -> PublishedRoom {
        var room = Room(
            id: Identifier("r_a"), pin: try #require(PIN("123456")),
            catalogue: try Catalogues.shipped(), host: Table.token(1), nickname: nil,
            revealWhen: RevealPolicy(), deadlineAt: nil, lifetime: 60_000, at: Instant(milliseconds: 0))
        for number in 2..<(members + 1) { _ = try room.join(Table.token(number), nickname: nil, at: Instant(milliseconds: 1)) }
        return PublishedRoom(room)
    }

    private func instant(_ milliseconds: Int) -> DispatchTime {
        DispatchTime(uptimeNanoseconds: 1_000_000_000 + UInt64(milliseconds) * 1_000_000)
    }

    private func told(_ turn: Audience.Turn) -> Int? { if case .now(let watchers) = turn { watchers.count } else { nil } }

    @Test("of a dozen hears of each change at once") func small() throws {
        var audience = Audience()
        let listeners = (0..<12).map { _ in Listener() }
        for listener in listeners { audience.add(listener, after: 0) }
        for (number, time) in [(10, 0), (11, 1), (12, 2)] { #expect(told(audience.turn(of: try room(number), at: instant(time))) == 12) }
    }

    @Test("of five hundred who see one another hears of the newest state twice a second, and of another stage at once") func large() throws
    {
        var audience = Audience()
        let listeners = (0..<500).map { _ in Listener() }
        for listener in listeners { audience.add(listener, after: 0) }
        #expect(told(audience.turn(of: try room(490), at: instant(0))) == 500)
        guard case .later(let time) = audience.turn(of: try room(491), at: instant(10)) else {
            Issue.record("told again after ten milliseconds")
            return
        }
        #expect(time == instant(490))
        for number in 492...495 {
            guard case .withTheNext = audience.turn(of: try room(number), at: instant(20)) else {
                Issue.record("told of \(number)")
                continue
            }
        }
        let newest = audience.takeWaiting()
        let waiting = try #require(newest)
        #expect(waiting.room.members.count == 495)
        #expect(told(audience.turn(of: waiting, at: time)) == 500)
        #expect(audience.takeWaiting() == nil)

        // The reveal waits for nobody.
        var revealed = waiting.room
        _ = try revealed.submit(AnswerSheet(AnswerDraft(), in: revealed.catalogue), by: Table.token(1), at: Instant(milliseconds: 2))
        _ = try revealed.reveal(at: Instant(milliseconds: 3))
        #expect(told(audience.turn(of: PublishedRoom(revealed), at: instant(500))) == 500)
    }
}
