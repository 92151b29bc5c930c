import MenuGame
import TestSupport
import Testing
import UseCases

/// That what happens in a room comes back as it happened.
@Suite("A room in a store", .sharesPostgres, .explainsPostgres, .blocks) struct RoomEventsContract {
    @Test("comes back the same after every event", arguments: StoreUnderTest.all)
    func events(kind: StoreUnderTest) throws {
        let (now, later) = (Sample.now, Sample.now.advanced(by: 1500))
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.check(&room) { _ = try $0.join(Sample.token(2), nickname: Nickname(stored: "😀"), at: later) }
            try store.check(&room) { _ = try $0.join(Sample.token(2), nickname: Nickname(stored: "지훈"), at: later) }
            try store.check(&room) { _ = try $0.join(Sample.token(2), nickname: .some(nil), at: later) }
            try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(3), at: now) }
            try store.check(&room) {
                _ = try $0.submit(try Sample.sheet("dislike", staple: ["none"], vetoes: ["seafood"]), by: Sample.token(3), at: later)
            }
            try store.check(&room) { try $0.withdraw(Sample.token(3)) }
            try store.check(&room) { _ = try $0.submit(try Sample.sheet("skip", staple: []), by: Sample.token(3), at: later) }
            try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(1), at: later) }
            try store.check(&room) { try $0.leave(Sample.token(1)) }
            #expect(room.host == MemberID(number: 2))
            try store.check(&room) { _ = try $0.join(Sample.token(1), nickname: nil, at: later) }
            #expect(room.member(Sample.token(1))?.id == MemberID(number: 4))
            try store.check(&room) { try $0.showResult(at: later) }
            #expect(room.result?.outcome.menus.isEmpty == false)
            try store.check(&room) { room in
                try room.decide(on: try #require(room.result?.outcome.menus.last?.id), by: Sample.token(2))
            }
            try store.check(&room) { try $0.beginRound(by: Sample.token(2), deadlineAt: later.advanced(by: 1), at: later) }
            #expect(room.deadlineAt == later.advanced(by: 1))
            #expect(room.submissionCount == 0)
            try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(3), at: later) }
            try store.check(&room) { try $0.showResult(at: later) }
            try store.check(&room) { try $0.handOver(to: MemberID(number: 4), by: Sample.token(2)) }
            try store.check(&room) { try $0.remove(MemberID(number: 2), by: Sample.token(1)) }
            #expect(throws: Refusal.removed) { try room.join(Sample.token(2), nickname: nil, at: later) }
            try store.check(&room) { _ = try $0.join(Sample.token(5), nickname: nil, at: later) }
            try store.check(&room) { room in for number in [1, 3, 5] { try room.leave(Sample.token(number)) } }
            #expect(room.host == nil && room.members.isEmpty)
            try store.check(&room) { _ = try $0.join(Sample.token(6), nickname: nil, at: later) }
            #expect(room.host == MemberID(number: 6))
        }
    }

    @Test(
        "is gone, and all that it held, when it was closed; nothing can be done to it, and its PIN is free", arguments: StoreUnderTest.all)
    func closed(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }
            try store.check(&room) { try $0.remove(MemberID(number: 2), by: Sample.token(1)) }
            var belated = room
            let sequence = room.sequence
            try room.close(by: Sample.token(1))
            #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
            #expect(try store.load(room.pin, at: Sample.now) == nil)
            #expect(try !store.isLive(room.pin, at: Sample.now))
            #expect(try store.liveCount(digits: 6) == 0)
            _ = try belated.join(Sample.token(3), nickname: nil, at: Sample.now)
            #expect(try store.commit([belated.change(basedOn: sequence)]) == [.conflict])
            var next = Sample.room("r_2", pin: room.pin)
            try store.create(&next)
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(next))
        }
    }

    @Test("takes many events in one change", arguments: StoreUnderTest.all)
    func manyEvents(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            for number in 1...3 {
                _ = try room.submit(try Sample.sheet(), by: Sample.token(number), at: Sample.now)
                _ = try room.submit(try Sample.sheet("dislike"), by: Sample.token(number), at: Sample.now)
            }
            try room.withdraw(Sample.token(2))
            _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
            try room.leave(Sample.token(3))
            _ = try room.join(Sample.token(3), nickname: Nickname(stored: "다시"), at: Sample.now)
            try room.showResult(at: Sample.now)
            try store.create(&room)
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
        }
    }

    @Test("may be as full as a room can be", arguments: StoreUnderTest.all)
    func full(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.check(&room) { room in
                for number in 1...Limits.membersPerRoom {
                    _ = try room.submit(try Sample.sheet(number % 2 == 0 ? "like" : "dislike"), by: Sample.token(number), at: Sample.now)
                }
            }
            #expect(room.members.count == Limits.membersPerRoom)
            try store.check(&room) { try $0.showResult(at: Sample.now) }
        }
    }

    @Test("keeps ids apart that differ only in their bytes", arguments: StoreUnderTest.all)
    func bytes(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(1), at: Sample.now) }
            let answers = try store.load(room.pin, at: Sample.now)?.members.first?.submission?.answers
            guard case .list(let options)? = answers?.answers.first(where: { $0.card == "staple" })?.answer else {
                Issue.record("no list")
                return
            }
            #expect(options.first.map { Array($0.utf8) } == Array(Sample.decomposed.utf8))
        }
    }
}
