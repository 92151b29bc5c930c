import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("Servers that share a database", .sharesPostgres, .blocks) struct SharingTests {
    @Test("take a change of one state of a room from one of them, and tell the others") func conflict() async throws {
        let servers = try Servers()
        for number in 1...20 {
            let room = try servers.room(number)
            let outcomes = try await atOnce(0..<2) { try servers.stores[$0].commit([room.joined(by: 10 + $0)]) }
            #expect(Set(outcomes) == [[.stored], [.conflict]])
            let loaded = try servers.stores.map { try $0.load(room.pin, at: Sample.now) }
            #expect(loaded[0] == loaded[1] && loaded[0]?.members.count == 2)
        }
    }

    @Test("lose nobody's answers, however many change one room at once") func manyAtOnce() async throws {
        let servers = try Servers()
        let pin = try servers.room().pin
        let each = 12
        let conflicts = try await atOnce(0..<8) { thread in
            let store = servers.stores[thread % 2]
            var conflicts = 0
            for number in 0..<each {
                while true {
                    let record = try #require(try store.load(pin, at: Sample.now))
                    var room = try Room(record, catalogue: Sample.catalogue)
                    _ = try room.submit(try Sample.sheet(), by: Sample.token(100 + thread * each + number), at: Sample.now)
                    if try store.commit([room.change(basedOn: record.sequence)]) == [.stored] { break }
                    conflicts += 1
                }
            }
            return conflicts
        }
        let record = try #require(try servers.second.load(pin, at: Sample.now))
        #expect(record.members.count { $0.submission != nil } == 8 * each)
        #expect(record.sequence == 1 + 2 * 8 * each)
        // Otherwise it was not at once.
        #expect(conflicts.contains { $0 > 0 })
    }

    @Test("do not wait for one another in a circle, in whatever order their batches are") func noDeadlock() async throws {
        let servers = try Servers()
        let rooms = try (1...30).map { try servers.room($0) }
        for round in 0..<10 {
            let current = try servers.first.load(rooms.map(\.pin), at: Sample.now)
            let outcomes = try await atOnce(0..<2) { server in
                let changes = try rooms.shuffled().map { room in
                    let record = try #require(current[room.pin]?.record)
                    return try Room(record, catalogue: Sample.catalogue).joined(by: 10 + 2 * round + server)
                }
                return Dictionary(uniqueKeysWithValues: zip(changes.map(\.room.id), try servers.stores[server].commit(changes)))
            }
            // A deadlock would be found by the server after a second, and leave all of a batch without a winner or take it from both.
            for room in rooms { #expect(Set(outcomes.map { $0[room.id] }) == [.stored, .conflict]) }
        }
    }

    @Test("give a PIN to one of two who take it at once") func pin() async throws {
        let servers = try Servers()
        for number in 1...20 {
            let outcomes = try await atOnce(0..<2) { server in
                var room = Sample.room("r_\(number)_\(server)", pin: try Sample.pin(number))
                return try servers.stores[server].commit([room.change(basedOn: nil)])
            }
            #expect(Set(outcomes) == [[.stored], [.pinTaken]])
            let winner = try #require(outcomes.firstIndex(of: [.stored]))
            #expect(try servers.first.load(try Sample.pin(number), at: Sample.now)?.id.text == "r_\(number)_\(winner)")
        }
        #expect(try servers.schema.run("SELECT count(*) FROM room") == ["20"])
    }

    @Test("keep one answer under a key, whatever both were asked at once", arguments: [true, false])
    func receipts(isOfRoom: Bool) async throws {
        let servers = try Servers()
        let room = try servers.room()
        for number in 1...20 {
            let outcomes = try await atOnce(0..<2) { server in
                let receipt = receipt("key \(number)", answer: server, isOfRoom: isOfRoom)
                // A command that changed nothing: the sequence tells nothing of it.
                guard !isOfRoom else {
                    return try servers.stores[server].commit([
                        RoomChange(room: room, basedOn: room.sequence, events: [], receipts: [receipt])
                    ])
                }
                var opened = Sample.room("r_\(number)_\(server)", pin: try Sample.pin(10 * number + server))
                return try servers.stores[server].commit([opened.change(basedOn: nil, receipts: [receipt])])
            }
            #expect(Set(outcomes) == [[.stored], [.conflict]])
            let winner = try #require(outcomes.firstIndex(of: [.stored]))
            for store in servers.stores {
                let kept = try store.receipt(receipt("key \(number)", answer: 0, isOfRoom: isOfRoom).key, at: Sample.now)
                #expect(kept == receipt("key \(number)", answer: winner, isOfRoom: isOfRoom))
            }
        }
        #expect(try servers.schema.run("SELECT count(*) FROM pin_claim") == [isOfRoom ? "1" : "21"])
    }

    @Test("keep one answer under a key for two rooms at once, and do not wait for one another in a circle") func twoRooms() async throws {
        let servers = try Servers()
        let rooms = try (1...30).map { try servers.room($0) }
        for round in 0..<10 {
            let outcomes = try await atOnce(0..<2) { server in
                // The same fifteen keys, each in whatever order and for a room of its own.
                let changes = (0..<15).map { number in
                    let receipt = receipt("key \(round) \(number)", answer: server, isOfRoom: true)
                    let room = rooms[15 * server + number]
                    return RoomChange(room: room, basedOn: room.sequence, events: [], receipts: [receipt])
                }.shuffled()
                return Dictionary(
                    uniqueKeysWithValues: zip(changes.map { $0.receipts[0].key }, try servers.stores[server].commit(changes)))
            }
            for (key, outcome) in outcomes[0] {
                #expect(Set([outcome, try #require(outcomes[1][key])]) == [.stored, .conflict])
                let winner: UInt8 = outcome == .stored ? 0 : 1
                for store in servers.stores { #expect(try store.receipt(key, at: Sample.now)?.answer == [winner]) }
            }
        }
        #expect(try servers.schema.run("SELECT count(*) FROM receipt JOIN room_receipt USING (room, owner, key)") == ["150"])
        #expect(try servers.schema.run("SELECT count(*) FROM room_receipt") == ["150"])
    }

    @Test("close a room with all the answers that go with it, those too that another keeps meanwhile") func closing() async throws {
        let servers = try Servers()
        var room = try servers.room()
        let open = room
        func kept(_ key: String) -> RoomChange {
            RoomChange(room: open, basedOn: open.sequence, events: [], receipts: [receipt(key, answer: 1, isOfRoom: true)])
        }
        #expect(try servers.first.commit([kept("before")]) == [.stored])
        try room.close(by: Sample.token(1))
        let close = room.change(basedOn: open.sequence)
        let backend = try servers.committing(of: 0)
        try servers.second.hold([room.id])
        async let outcomes = onOwnThread { try servers.first.commit([close]) }
        #expect(try await servers.waits(backend, for: "Lock"))
        #expect(try servers.second.commit([kept("meanwhile")]) == [.stored])
        #expect(try await outcomes == [.conflict])
        let keys = [kept("before"), kept("meanwhile")].map { $0.receipts[0].key }
        #expect(try servers.first.receipts(keys, at: Sample.now).count == 2)
        #expect(try servers.first.commit([close]) == [.stored])
        #expect(try servers.second.receipts(keys, at: Sample.now).isEmpty)
        for table in ["receipt", "room_receipt", "opening"] { #expect(try servers.schema.run("SELECT count(*) FROM \(table)") == ["0"]) }
    }

    @Test("keep one of two receipts that belong to no room") func ownReceipts() async throws {
        let servers = try Servers()
        for number in 1...20 {
            let kept = try await atOnce(0..<2) { try servers.stores[$0].keep(receipt("key \(number)", answer: $0, isOfRoom: false)) }
            #expect(Set(kept) == [true, false])
        }
    }

    @Test("store the rest of a batch in which many lose what others have taken at the same time") func rest() async throws {
        let servers = try Servers()
        let outcomes = try await atOnce(0..<2) { server in
            let changes = try (0..<40).map { number in
                // Every other PIN is one that both draw.
                let pin = try Sample.pin(number % 2 == 0 ? number : 1000 * (server + 1) + number)
                var room = Sample.room("r_\(number)_\(server)", pin: pin)
                return room.change(basedOn: nil)
            }
            return try servers.stores[server].commit(changes)
        }
        for number in 0..<40 {
            let pair = outcomes.map { $0[number] }
            #expect(number % 2 == 0 ? Set(pair) == [.stored, .pinTaken] : pair == [.stored, .stored])
        }
        #expect(try servers.schema.run("SELECT count(*) FROM room") == ["60"])
        #expect(try servers.schema.run("SELECT count(*) FROM pin_claim JOIN room ON room.id = pin_claim.room") == ["60"])
    }

    @Test("give what the clock has to do with a room to one of them") func lease() async throws {
        let servers = try Servers()
        let deadline = Sample.now.advanced(by: 1000)
        for number in 1...20 {
            let revealWhen = RevealPolicy(host: true, deadline: true)
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number), revealWhen: revealWhen, deadlineAt: deadline)
            _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
            try servers.first.create(&room)
        }
        let end = deadline.advanced(by: 1000)
        let leased = try await atOnce(0..<4) { try servers.stores[$0 % 2].lease(dueAt: deadline, until: end, limit: 100) }.flatMap { $0 }
        // Whoever finds another at it takes nothing that the other has, and may come away with less than there is.
        let rest = try servers.first.lease(dueAt: deadline, until: end, limit: 100)
        #expect(leased.count + rest.count == 20)
        #expect(Set(leased + rest) == Set(try (1...20).map(Sample.pin)))
    }

    @Test("delete what has expired once between them") func deleteExpired() async throws {
        let servers = try Servers()
        for number in 1...40 {
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number), lifetime: 1000)
            try servers.first.create(&room)
            #expect(try servers.first.keep(receipt("key \(number)", answer: 1, isOfRoom: false)))
        }
        let later = Sample.now.advanced(by: 100_000)
        let deleted = try await atOnce(0..<4) { thread in
            let store = servers.stores[thread % 2]
            var (pins, receipts) = ([PIN](), 0)
            for _ in 0..<20 {
                pins += try store.deleteExpired(at: later, limit: 8)
                receipts += try store.deleteExpiredReceipts(at: later, limit: 8)
            }
            return (pins, receipts)
        }
        #expect(deleted.flatMap(\.0).count == 40 && Set(deleted.flatMap(\.0)).count == 40)
        #expect(deleted.reduce(0) { $0 + $1.1 } == 40)
        #expect(try servers.schema.run("SELECT count(*) FROM pin_claim") == ["0"])
    }

    @Test("have one key for the tokens of all members") func key() throws {
        let servers = try Servers()
        try servers.first.belong(toKey: [1, 2, 3])
        try servers.second.belong(toKey: [1, 2, 3])
        #expect(throws: StoreError.self) { try servers.second.belong(toKey: [1, 2, 4]) }
        // Nor is anything copied to where a server is.
        #expect(throws: StoreError.self) { try servers.first.beginCopy() }
        _ = try servers.room()
        #expect(try servers.second.keyFingerprint() == [1, 2, 3])
    }

    @Test("keep out until all that a copy brings is there, and where rooms have no key") func copying() throws {
        let servers = try Servers()
        #expect(try servers.second.keyFingerprint() == nil)
        for _ in 0..<2 { try servers.first.beginCopy() }
        for hasRooms in [false, true] {
            if hasRooms { _ = try servers.room() }
            let error = try #require(throws: StoreError.self) { try servers.second.belong(toKey: [1, 2, 3]) }
            #expect(error.detail.contains("copy"))
            #expect(throws: StoreError.self) { try servers.second.keyFingerprint() }
        }
        try servers.first.endCopy(toKey: [1, 2, 3])
        try servers.second.belong(toKey: [1, 2, 3])
        #expect(throws: StoreError.self) { try servers.first.endCopy(toKey: [1, 2, 3]) }

        try servers.schema.run("DELETE FROM token_key")
        #expect(throws: StoreError.self) { try servers.second.belong(toKey: [1, 2, 3]) }
        #expect(throws: StoreError.self) { try PostgresInspection(uri: servers.schema.uri).keyFingerprint() }
        #expect(try servers.schema.run("SELECT count(*) FROM token_key") == ["0"])
    }

    private func receipt(_ key: String, answer: Int, isOfRoom: Bool) -> Receipt {
        Receipt(
            key: ReceiptKey(owner: Sample.token(1), key: key), request: Sample.token(7), answer: [UInt8(answer)], keptAt: Sample.now,
            expiresAt: Sample.now.advanced(by: 1000), isOfRoom: isOfRoom)
    }
}
