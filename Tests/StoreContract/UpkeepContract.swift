import MenuGame
import TestSupport
import Testing
import UseCases

/// What a store forgets, and what it keeps for the rooms.
@Suite("What a room store holds", .sharesPostgres, .explainsPostgres, .blocks) struct UpkeepContract {
    @Test("is deleted once it has expired, no more at a time than it was told", arguments: StoreUnderTest.all)
    func deleteExpired(kind: StoreUnderTest) throws {
        try kind.run { store in
            for number in 0..<5 {
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
                _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
                try room.showResult(at: Sample.now)
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

    @Test("is given to one at a time when the clock has something to do with it", arguments: StoreUnderTest.all)
    func lease(kind: StoreUnderTest) throws {
        try kind.run { store in
            let now = Sample.now
            let deadline = now.advanced(by: 1000)
            for number in 1...4 {
                let revealWhen = RevealPolicy(host: true, anyMember: false, anyone: false, deadline: number < 4, submissions: nil)
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), revealWhen: revealWhen, deadlineAt: deadline)
                try store.create(&room)
                // Nobody has submitted in the first: its deadline is spent.
                if number > 1 { try store.check(&room) { _ = try $0.submit(try Sample.sheet(), by: Sample.token(2), at: now) } }
            }
            let pins = try [2, 3].map(Sample.pin)
            #expect(try store.lease(dueAt: now, until: deadline, limit: 10) == [])
            let until = deadline.advanced(by: 100)
            let first = try store.lease(dueAt: deadline, until: until, limit: 1)
            let second = try store.lease(dueAt: deadline, until: until, limit: 10)
            #expect(first.count == 1)
            #expect(Set(first + second) == Set(pins) && second.count == 1)
            #expect(try store.lease(dueAt: deadline, until: until, limit: 10) == [])
            #expect(Set(try store.lease(dueAt: until, until: until.advanced(by: 100), limit: 10)) == Set(pins))

            // One that was seen to is not given to anybody, nor is one that has another round before it.
            let late = until.advanced(by: 100)
            for pin in pins {
                let record = try #require(try store.load(pin, at: late))
                var room = try Room(record, catalogue: Sample.catalogue)
                try store.check(&room, at: late) { try $0.showResult(at: deadline) }
            }
            #expect(try store.lease(dueAt: late, until: late.advanced(by: 100), limit: 10) == [])
        }
    }

    @Test("is asked for many at once", arguments: StoreUnderTest.all)
    func many(kind: StoreUnderTest) throws {
        try kind.run { store in
            var rooms = try (1...3).map { Sample.room("r_\($0)", pin: try Sample.pin($0), lifetime: Int64($0) * 1000) }
            for index in rooms.indices { try store.create(&rooms[index]) }
            try store.check(&rooms[1]) { _ = try $0.join(Sample.token(2), nickname: nil, at: Sample.now) }
            let later = Sample.now.advanced(by: 1000)
            let pins = rooms.map(\.pin) + [try Sample.pin(9)]
            let loaded = try store.load(pins, at: later)
            #expect(loaded.mapValues(\.record) == [rooms[1].pin: RoomRecord(rooms[1]), rooms[2].pin: RoomRecord(rooms[2])])
            #expect(try store.load([], at: later) == [:])
            let versions = try store.versions(of: rooms.map(\.id) + [Identifier("r_9")])
            #expect(versions.mapValues(\.sequence) == Dictionary(uniqueKeysWithValues: rooms.map { ($0.id, $0.sequence) }))
            var question = StoreQuestion()
            question.pins = Set(pins)
            question.openers = [Sample.token(1), Sample.token(9)]
            question.digits = [6, 7]
            let facts = try store.facts(question, at: later)
            #expect(facts.taken == [rooms[1].pin, rooms[2].pin])
            #expect(facts.expiries.mapValues(Set.init) == [Sample.token(1): Set(rooms[1...].map(\.expiresAt))])
            #expect(facts.counts == [6: 3, 7: 0])
            #expect(facts.receipts.isEmpty && facts.bytesOfOwners.isEmpty && facts.bytesInRooms.isEmpty)
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
            #expect(try Set(store.catalogues()).contains("another"))

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
