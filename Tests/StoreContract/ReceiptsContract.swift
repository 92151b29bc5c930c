import MenuGame
import TestSupport
import Testing
import UseCases

/// Answers that are kept to be given again, and who has opened what.
@Suite("A room store's receipts", .sharesPostgres, .explainsPostgres, .blocks) struct ReceiptsContract {
    private func receipt(
        _ key: String, of owner: Int = 1, _ answer: String = "答", lifetime: Int64 = 1000, isOfRoom: Bool = false
    ) -> Receipt {
        Receipt(
            key: ReceiptKey(owner: Sample.token(owner), key: key), request: Sample.token(7), answer: Array(answer.utf8) + [0, 255],
            keptAt: Sample.now, expiresAt: Sample.now.advanced(by: lifetime), isOfRoom: isOfRoom)
    }

    @Test("come back byte for byte, to their owner and under their key, until they expire", arguments: StoreUnderTest.all)
    func kept(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            let kept = receipt("key")
            for receipt in [kept, receipt("other"), receipt("key", of: 2, "another")] { #expect(try store.keep(receipt)) }
            #expect(try store.receipt(kept.key, at: Sample.now) == kept)
            #expect(try store.receipt(receipt("KEY").key, at: Sample.now) == nil)
            #expect(try store.receipt(receipt("key", of: 2).key, at: Sample.now)?.answer != kept.answer)
            #expect(try store.receipt(kept.key, at: kept.expiresAt) == nil)
            #expect(try store.receiptBytes(of: Sample.token(1)) == 2 * (kept.answer.count + Receipt.overhead))
            #expect(try store.receiptBytes(of: Sample.token(3)) == 0)
        }
    }

    @Test("are stored with their change, or not at all", arguments: StoreUnderTest.all)
    func withChange(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            let opened = RoomChange(room: room, basedOn: nil, events: room.takeEvents(), receipts: [receipt("opened")])
            let conflicting = RoomChange(room: room, basedOn: 77, events: [], receipts: [receipt("conflict", isOfRoom: true)])
            // The last has neither its PIN nor its key any more.
            let outcomes = try store.commit([opened, conflicting, opened])
            #expect(outcomes.prefix(2) == [.stored, .conflict] && outcomes.last != .stored)
            #expect(try store.receipt(receipt("opened").key, at: Sample.now) == receipt("opened"))
            #expect(try store.receipt(receipt("conflict").key, at: Sample.now) == nil)
            // A command that changes nothing has a receipt all the same.
            let nothing = receipt("nothing", isOfRoom: true)
            let change = RoomChange(room: room, basedOn: room.sequence, events: [], receipts: [nothing])
            #expect(try store.commit([change]) == [.stored])
            #expect(try store.receipt(nothing.key, at: Sample.now) == nothing)
            #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room))
            #expect(try store.receiptBytes(in: room.id) == nothing.answer.count + Receipt.overhead)
        }
    }

    @Test("that tell of a room go with it, and the one of its opening stays", arguments: StoreUnderTest.all)
    func ofRoom(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            let opened = RoomChange(room: room, basedOn: nil, events: room.takeEvents(), receipts: [receipt("opened")])
            let decided = RoomChange(
                room: room, basedOn: room.sequence, events: [], receipts: [receipt("decided", isOfRoom: true)])
            #expect(try store.commit([opened, decided]) == [.stored, .stored])
            let sequence = room.sequence
            try room.close(by: Sample.token(1))
            #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
            #expect(try store.receipt(receipt("decided").key, at: Sample.now) == nil)
            #expect(try store.receipt(receipt("opened").key, at: Sample.now) != nil)
            #expect(try store.receiptBytes(in: room.id) == 0)
        }
    }

    @Test("keep out a change whose answer is kept already, and nothing else of its batch", arguments: StoreUnderTest.all)
    func keptAlready(kind: StoreUnderTest) throws {
        func receipt(_ key: String, _ answer: String = "答") -> Receipt { self.receipt(key, answer, isOfRoom: true) }
        try kind.run { store throws in
            var rooms = try (1...2).map { Sample.room("r_\($0)", pin: try Sample.pin($0)) }
            for index in rooms.indices { try store.create(&rooms[index]) }
            var (repeated, other) = (rooms[0], rooms[1])
            _ = try rooms[0].join(Sample.token(2), nickname: nil, at: Sample.now)
            #expect(try store.commit([rooms[0].change(basedOn: repeated.sequence, receipts: [receipt("key")])]) == [.stored])
            // From the state that it was made of, and from the one that it came to.
            let (before, after) = (repeated.sequence, rooms[0].sequence)
            _ = try repeated.join(Sample.token(3), nickname: nil, at: Sample.now)
            let late = repeated.change(basedOn: before, receipts: [receipt("key", "again")])
            var next = rooms[0]
            _ = try next.join(Sample.token(3), nickname: nil, at: Sample.now)
            let repeats = next.change(basedOn: after, receipts: [receipt("key", "again")])
            let unchanged = RoomChange(room: rooms[0], basedOn: after, events: [], receipts: [receipt("key", "again")])
            for change in [late, repeats, unchanged] {
                let sequence = other.sequence
                _ = try other.join(Sample.token(10 + sequence), nickname: nil, at: Sample.now)
                #expect(try store.commit([change, other.change(basedOn: sequence)]) == [.conflict, .stored])
                #expect(try store.load(rooms[0].pin, at: Sample.now) == RoomRecord(rooms[0]))
                #expect(try store.load(other.pin, at: Sample.now) == RoomRecord(other))
                #expect(try store.receipt(receipt("key").key, at: Sample.now) == receipt("key"))
            }
        }
    }

    @Test("keep out a change of another room under their key, until their own room is closed", arguments: StoreUnderTest.all)
    func twoRooms(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            var rooms = try (1...2).map { Sample.room("r_\($0)", pin: try Sample.pin($0)) }
            for index in rooms.indices { try store.create(&rooms[index]) }
            // Somebody's who opened neither.
            let receipts = ["key", "other"].map { receipt($0, of: 5, isOfRoom: true) }
            func change(_ room: Room, _ receipts: [Receipt]) -> RoomChange {
                RoomChange(room: room, basedOn: room.sequence, events: [], receipts: receipts)
            }
            #expect(try store.commit([change(rooms[0], receipts)]) == [.stored])
            #expect(try store.commit([change(rooms[1], [receipts[1]])]) == [.conflict])
            let own = receipt("key", of: 5)
            #expect(try !store.keep(own))
            #expect(try store.receiptBytes(in: rooms[1].id) == 0)
            #expect(try store.receiptBytes(of: Sample.token(5)) == 2 * (own.answer.count + Receipt.overhead))
            // In one batch, the first of them.
            let both = receipt("both", of: 5, isOfRoom: true)
            #expect(try store.commit([change(rooms[1], [both]), change(rooms[0], [both])]) == [.stored, .conflict])

            let sequence = rooms[0].sequence
            try rooms[0].close(by: Sample.token(1))
            #expect(try store.commit([rooms[0].change(basedOn: sequence)]) == [.stored])
            #expect(try store.receipts([receipts[0].key, receipts[1].key, both.key], at: Sample.now) == [both.key: both])
            #expect(try store.receiptBytes(of: Sample.token(5)) == both.answer.count + Receipt.overhead)
            // Their keys are free again, for a room and for none.
            #expect(try store.commit([change(rooms[1], [receipts[1]])]) == [.stored])
            #expect(try store.keep(own))
            #expect(try store.receipt(own.key, at: Sample.now) == own)
        }
    }

    @Test("go with their room in the batch that closes it, and not where it is not closed after all", arguments: StoreUnderTest.all)
    func closing(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            var room = Sample.room("r_1", pin: try Sample.pin(1))
            try store.create(&room)
            let kept = receipt("kept", of: 5, isOfRoom: true)
            #expect(try store.commit([RoomChange(room: room, basedOn: room.sequence, events: [], receipts: [kept])]) == [.stored])
            let (sequence, open) = (room.sequence, room)
            try room.close(by: Sample.token(1))
            let close = RoomChange(room: room, basedOn: 77, events: room.takeEvents())
            #expect(try store.commit([close]) == [.conflict])
            #expect(try store.receipt(kept.key, at: Sample.now) == kept)
            #expect(try store.roomsExpire(openedBy: Sample.token(1), at: Sample.now) == [room.expiresAt])

            let more = RoomChange(room: open, basedOn: sequence, events: [], receipts: [receipt("more", of: 6, isOfRoom: true)])
            #expect(try store.commit([more, RoomChange(room: room, basedOn: sequence, events: close.events)]) == [.stored, .stored])
            #expect(try store.receipts([kept.key, receipt("more", of: 6).key], at: Sample.now) == [:])
            #expect(try store.roomsExpire(openedBy: Sample.token(1), at: Sample.now) == [])
        }
    }

    @Test("of an opening keep out another under their key", arguments: StoreUnderTest.all)
    func openedAlready(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            let own = receipt("opened", isOfRoom: false)
            var (first, second) = (Sample.room("r_1", pin: try Sample.pin(1)), Sample.room("r_2", pin: try Sample.pin(2)))
            #expect(try store.commit([first.change(basedOn: nil, receipts: [own])]) == [.stored])
            #expect(try store.commit([second.change(basedOn: nil, receipts: [own])]) == [.conflict])
            #expect(try store.load(second.pin, at: Sample.now) == nil)
            #expect(try !store.isLive(second.pin, at: Sample.now))
        }
    }

    @Test("that have expired give way to others, and are deleted", arguments: StoreUnderTest.all)
    func expired(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            for number in 0..<5 { #expect(try store.keep(receipt("\(number)", "old", lifetime: -1))) }
            #expect(try store.keep(receipt("lasting")))
            let new = receipt("0", "new")
            #expect(try store.keep(new))
            #expect(try store.receipt(new.key, at: Sample.now) == new)
            // One that has not expired is never replaced.
            #expect(try !store.keep(receipt("0", "newer")))
            #expect(try store.receipt(new.key, at: Sample.now) == new)
            #expect(try [3, 3, 3].map { limit in try store.deleteExpiredReceipts(at: Sample.now, limit: limit) } == [3, 1, 0])
            #expect(try store.receipt(receipt("lasting").key, at: Sample.now) != nil)
        }
    }

    @Test("tell nothing of rooms; who has opened which does, for as long as they live", arguments: StoreUnderTest.all)
    func openers(kind: StoreUnderTest) throws {
        try kind.run { store throws in
            for number in 1...3 {
                var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: Int64(number) * 1000)
                try store.create(&room)
                if number == 3 { try store.check(&room) { _ = try $0.join(Sample.token(2), nickname: nil, at: Sample.now) } }
                if number == 3 { try store.check(&room) { try $0.leave(Sample.token(1)) } }
            }
            let ends = try store.roomsExpire(openedBy: Sample.token(1), at: Sample.now.advanced(by: 1000))
            #expect(Set(ends) == [Sample.now.advanced(by: 2000), Sample.now.advanced(by: 3000)])
            #expect(try store.roomsExpire(openedBy: Sample.token(2), at: Sample.now) == [])
        }
    }
}
