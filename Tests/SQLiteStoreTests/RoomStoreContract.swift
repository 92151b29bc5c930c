import MenuGame
import Testing
import UseCases

/// What every store does, whatever it is built on.
@Suite("A room store") struct RoomStoreContract {
    @Test("gives back a room that was opened, and knows no other", arguments: StoreUnderTest.all)
    func opens(kind: StoreUnderTest) throws {
        try kind.run { store in
            var room = Sample.room(
                "r_1", pin: try Sample.pin(1),
                revealWhen: RevealPolicy(host: false, anyMember: true, deadline: true, submissions: 3),
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

/// That what happens in a room comes back as it happened.
@Suite("A room in a store") struct RoomEventsContract {
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
            try store.check(&room) { try $0.reveal(at: later) }
            #expect(room.result?.outcome.menus.isEmpty == false)
            try store.check(&room) { _ = try $0.join(Sample.token(5), nickname: nil, at: later) }
            try store.check(&room) { room in for number in [1, 2, 3, 5] { try room.leave(Sample.token(number)) } }
            #expect(room.host == nil && room.members.isEmpty)
            try store.check(&room) { _ = try $0.join(Sample.token(6), nickname: nil, at: later) }
            #expect(room.host == MemberID(number: 6))
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
            try room.reveal(at: Sample.now)
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
            try store.check(&room) { try $0.reveal(at: Sample.now) }
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

/// What a store forgets, and what it keeps for the rooms.
@Suite("What a room store holds") struct UpkeepContract {
    @Test("is deleted once it has expired, no more at a time than it was told", arguments: StoreUnderTest.all)
    func deleteExpired(kind: StoreUnderTest) throws {
        try kind.run { store in
            for number in 0..<5 {
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
                _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
                try room.reveal(at: Sample.now)
                try store.create(&room)
            }
            var lasting = Sample.room("r_9", pin: try Sample.pin(9))
            try store.create(&lasting)

            #expect(try store.deleteExpired(at: Sample.now, limit: 10) == [])
            let later = Sample.now.advanced(by: 1000)
            var deleted: [PIN] = []
            for expected in [2, 2, 1, 0] {
                let pins = try store.deleteExpired(at: later, limit: 2)
                #expect(pins.count == expected)
                deleted += pins
            }
            #expect(Set(deleted) == Set(try (0..<5).map(Sample.pin)))
            #expect(try store.load(lasting.pin, at: later) == RoomRecord(lasting))
            #expect(try store.load(try Sample.pin(0), at: Sample.now) == nil)
        }
    }

    @Test("is counted by the digits of its PINs", arguments: StoreUnderTest.all)
    func liveCount(kind: StoreUnderTest) throws {
        try kind.run { store in
            for (number, pin) in ["000000", "999999", "123456", "1234567"].enumerated() {
                var room = Sample.room("r_\(number)", pin: try #require(PIN(pin)))
                try store.create(&room)
            }
            #expect(try [6, 7, 8].map { digits in try store.liveCount(digits: digits) } == [3, 1, 0])
        }
    }

    @Test("has the catalogue of every room, byte for byte", arguments: StoreUnderTest.all)
    func catalogue(kind: StoreUnderTest) throws {
        try kind.run { store in
            let bytes: [UInt8] = [0, 255, 10, 0]
            #expect(try store.catalogue("another") == nil)
            try store.keep(catalogue: bytes, fingerprint: "another")
            try store.keep(catalogue: bytes, fingerprint: "another")
            #expect(try store.catalogue("another") == bytes)

            try store.keep(catalogue: Array("{}".utf8), fingerprint: Sample.catalogue.fingerprint)
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            try store.keep(catalogue: bytes, fingerprint: "another")
            #expect(try store.catalogue(Sample.catalogue.fingerprint) == Array("{}".utf8))
        }
    }

    @Test("can be written", arguments: StoreUnderTest.all)
    func writable(kind: StoreUnderTest) throws {
        try kind.run { store in
            #expect(store.isWritable())
            #expect(store.isWritable())
        }
    }
}
