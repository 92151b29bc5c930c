import MenuGame
import TestSupport
import Testing
import UseCases

/// What every store does, whatever it is built on.
@Suite("A room store", .sharesPostgres, .explainsPostgres, .blocks) struct RoomStoreContract {
    @Test("gives back a room that was opened, and knows no other", arguments: StoreUnderTest.all, [true, false])
    func opens(kind: StoreUnderTest, anyone: Bool) throws {
        try kind.run { store in
            var room = Sample.room(
                "r_1", pin: try Sample.pin(1),
                revealWhen: RevealPolicy(host: false, anyMember: !anyone, anyone: anyone, deadline: true, submissions: 3),
                deadlineAt: Sample.now.advanced(by: 60_000))
            try store.create(&room)
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            #expect(try store.isLive(room.pin, at: Sample.now))
            #expect(try store.load(try Sample.pin(2), at: Sample.now) == nil)
            #expect(try !store.isLive(try Sample.pin(2), at: Sample.now))
        }
    }

    @Test("keeps a PIN for the room that has it", arguments: StoreUnderTest.all)
    func pinTaken(kind: StoreUnderTest) throws {
        try kind.run { store in
            var first = Sample.room("r_1", pin: try Sample.pin(1))
            var second = Sample.room("r_2", pin: first.pin)
            try store.create(&first)
            #expect(try store.commit([second.change(basedOn: nil)]) == [.pinTaken])
            #expect(try store.load(first.pin, at: Sample.now) == RoomRecord(first))
        }
    }

    @Test("does not open the same room twice", arguments: StoreUnderTest.all)
    func opensOnce(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            let change = room.change(basedOn: nil)
            #expect(try store.commit([change, change]) == [.stored, .pinTaken])
            #expect(try store.commit([change]) == [.pinTaken])
        }
    }

    @Test("gives an expired room's PIN to a new one", arguments: StoreUnderTest.all)
    func expiredPIN(kind: StoreUnderTest) throws {
        try kind.run { store in
            var old = Sample.room("r_1", pin: try Sample.pin(1), lifetime: 1000)
            try store.create(&old)
            try store.check(&old) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now) }

            let later = Sample.now.advanced(by: 1000)
            #expect(try store.load(old.pin, at: later) == nil)
            #expect(try !store.isLive(old.pin, at: later))
            var new = Sample.room("r_2", pin: old.pin, at: later)
            try store.create(&new)
            #expect(try store.load(new.pin, at: later) == RoomRecord(new))

            // The old one is gone, and nobody's belated command finds the new one in its place.
            let sequence = old.sequence
            _ = try old.join(Sample.token(3), nickname: nil, at: later)
            #expect(try store.commit([old.change(basedOn: sequence)]) == [.conflict])
            #expect(try store.load(new.pin, at: later) == RoomRecord(new))
        }
    }

    @Test("leaves no trace of a change that was based on another state", arguments: StoreUnderTest.all)
    func conflict(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            var loser = room
            try store.check(&room) { _ = try $0.join(Sample.token(2), nickname: nil, at: Sample.now) }
            let sequence = loser.sequence
            _ = try loser.submit(try Sample.sheet(), by: Sample.token(3), at: Sample.now)
            #expect(try store.commit([loser.change(basedOn: sequence)]) == [.conflict])
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
        }
    }

    @Test("stores the rest of a batch that has losers in it", arguments: StoreUnderTest.all)
    func losersInBatch(kind: StoreUnderTest) throws {
        try kind.run { store in
            var rooms = try (0..<5).map { Sample.room("r_\($0)", pin: try Sample.pin($0)) }
            for index in rooms.indices { try store.create(&rooms[index]) }
            let before = rooms
            var changes: [RoomChange] = []
            for index in rooms.indices {
                let basedOn = rooms[index].sequence - (index == 2 ? 1 : 0)
                _ = try rooms[index].submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
                changes.append(rooms[index].change(basedOn: basedOn))
            }
            var taken = Sample.room("r_9", pin: rooms[0].pin)
            changes.append(taken.change(basedOn: nil))
            #expect(try store.commit(changes) == [.stored, .stored, .conflict, .stored, .stored, .pinTaken])
            for (index, room) in rooms.enumerated() {
                #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(index == 2 ? before[2] : room))
            }
        }
    }

    @Test("takes no change of a room that it does not have", arguments: StoreUnderTest.all)
    func unknownRoom(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            #expect(try store.commit([room.change(basedOn: 1)]) == [.conflict])
            #expect(try store.load(room.pin, at: Sample.now) == nil)
        }
    }

    @Test("writes an empty batch", arguments: StoreUnderTest.all)
    func emptyBatch(kind: StoreUnderTest) throws {
        try kind.run { store in
            let outcomes = try store.commit([])
            #expect(outcomes == [])
        }
    }
}
