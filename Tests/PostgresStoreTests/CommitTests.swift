import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A batch in PostgreSQL", .sharesPostgres, .blocks) struct CommitTests {
    @Test("takes one round trip, however many rooms are in it", arguments: [1, 10, 300])
    func oneRoundTrip(count: Int) throws {
        let servers = try Servers(1)
        let store = servers.first
        var rooms = try (0..<count).map { Sample.room("r_\($0)", pin: try Sample.pin($0)) }
        func commit(_ batch: [RoomChange]) throws -> [CommitOutcome] {
            let before = try store.commits { $0.roundTrips }
            let outcomes = try store.commit(batch)
            #expect(try store.commits { $0.roundTrips } == before + 1)
            return outcomes
        }
        let openings = rooms.indices.map { rooms[$0].change(basedOn: nil) }
        #expect(try commit(openings).allSatisfy { $0 == .stored })
        let answers = try rooms.indices.map { index in
            let sequence = rooms[index].sequence
            _ = try rooms[index].submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
            return rooms[index].change(basedOn: sequence)
        }
        #expect(try commit(answers).allSatisfy { $0 == .stored })
        let results = try rooms.indices.map { index in
            // A loser here and there.
            let sequence = rooms[index].sequence - (index % 3 == 2 ? 1 : 0)
            try rooms[index].showResult(at: Sample.now)
            return rooms[index].change(basedOn: sequence)
        }
        #expect(try commit(results) == rooms.indices.map { $0 % 3 == 2 ? .conflict : .stored })
    }

    @Test("says no more of a submission than the room and what happened to it") func statements() throws {
        let servers = try Servers(1)
        var room = try servers.room()
        let sequence = room.sequence
        _ = try room.submit(try Sample.sheet(), by: Sample.token(2), at: Sample.now)
        let change = MarkedChange(room.change(basedOn: sequence))
        let plan = CommitPlan([(0, change)], begin: [], announcement: [])
        let words = plan.steps.map { $0.statement.text.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ") }
        #expect(words == ["UPDATE room SET", "INSERT INTO member", "INSERT INTO submission", "COMMIT"])
    }

    @Test("takes another for what was not known before: a PIN that is free again, a room whose PIN was taken") func leftovers() throws {
        let servers = try Servers(1)
        let store = servers.first
        var rooms = try (1...2).map { Sample.room("r_\($0)", pin: try Sample.pin($0), lifetime: 1000) }
        for index in rooms.indices { try store.create(&rooms[index]) }
        let before = try store.commits { $0.roundTrips }
        let sequence = rooms[0].sequence
        try rooms[0].close(by: Sample.token(1))
        var new = Sample.room("r_3", pin: rooms[1].pin, at: Sample.now.advanced(by: 1000))
        #expect(try store.commit([rooms[0].change(basedOn: sequence), new.change(basedOn: nil)]) == [.stored, .stored])
        // And one before it, for the answers that go with the room that is closed.
        #expect(try store.commits { $0.roundTrips } == before + 3)
        #expect(try servers.schema.run("SELECT id FROM room") == ["r_3"])
        #expect(try servers.schema.run("SELECT room FROM pin_claim") == ["r_3"])
    }

    @Test("asks once for all that it has to know, and twice for all rooms") func questions() throws {
        let servers = try Servers(1)
        let store = servers.first
        let rooms = try (1...50).map { try servers.room($0) }
        var question = StoreQuestion()
        question.pins = Set(rooms.map(\.pin))
        question.openers = [Sample.token(1)]
        question.owners = [Sample.token(1)]
        question.rooms = Set(rooms.map(\.id))
        question.digits = [6]
        question.receipts = [ReceiptKey(owner: Sample.token(1), key: "key")]
        let writing = try store.commits { $0.roundTrips }
        #expect(try store.facts(question, at: Sample.now).taken.count == 50)
        #expect(try store.commits { $0.roundTrips } == writing + 1)
        let reading = try store.read { $0.roundTrips }
        #expect(try store.load(rooms.map(\.pin), at: Sample.now).count == 50)
        #expect(try store.read { $0.roundTrips } == reading + 2)
        #expect(try store.versions(of: rooms.map(\.id)).count == 50)
        #expect(try store.read { $0.roundTrips } == reading + 3)
    }

    @Test("is refused whole where an event changes nothing, quotes nobody's data, and holds up nobody") func impossible() throws {
        let servers = try Servers(1)
        let store = servers.first
        let (room, other) = (try servers.room(1), try servers.room(2))
        let nickname = Nickname(stored: "김비밀")
        let impossible: [RoomEvent] = [
            .renamed(MemberID(number: 9), nickname), .left(MemberID(number: 9)), .removed(MemberID(number: 9), Sample.token(9)),
            .joined(Member(id: MemberID(number: 1), token: Sample.token(2), nickname: nickname, joinedAt: Sample.now)),
            .joined(Member(id: MemberID(number: 2), token: Sample.token(1), nickname: nickname, joinedAt: Sample.now)),
            .withdrawn(SubmissionID(number: 1), by: MemberID(number: 1)), .decided(Identifier("menu-1"), round: 1),
            .submitted(
                Submission(id: SubmissionID(number: 1), revision: 1, sheet: try Sample.sheet(), submittedAt: Sample.now),
                by: MemberID(number: 9)),
            .resubmitted(
                Submission(id: SubmissionID(number: 1), revision: 2, sheet: try Sample.sheet(), submittedAt: Sample.now),
                by: MemberID(number: 1)),
        ]
        for event in impossible {
            let change = RoomChange(room: room, basedOn: room.sequence, events: [event])
            let error = try #require(throws: StoreError.self) { try store.commit([other.joined(by: 5), change]) }
            for datum in ["100001", "김비밀", "like", "r_1"] { #expect(!error.detail.contains(datum)) }
            // At once: the connection has come to no harm.
            for room in [room, other] { #expect(try store.load(room.pin, at: Sample.now) == RoomRecord(room)) }
        }
        #expect(try store.commit([other.joined(by: 5)]) == [.stored])
        // In a change that loses, they are nobody's business.
        for event in impossible {
            #expect(try store.commit([RoomChange(room: room, basedOn: 77, events: [event])]) == [.conflict])
        }
    }

    @Test("may be as large as a room that is full, and its answers come back while it is still being sent") func large() throws {
        let servers = try Servers(1)
        var rooms = try (1...20).map { Sample.room("r_\($0)", pin: try Sample.pin($0)) }
        for index in rooms.indices {
            for number in 2...Limits.membersPerRoom {
                _ = try rooms[index].submit(try Sample.sheet(), by: Sample.token(number), at: Sample.now)
            }
            try rooms[index].showResult(at: Sample.now)
        }
        let changes = rooms.indices.map { rooms[$0].change(basedOn: nil) }
        #expect(try servers.first.commit(changes).allSatisfy { $0 == .stored })
        let loaded = try servers.first.load(rooms.map(\.pin), at: Sample.now)
        for room in rooms { #expect(loaded[room.pin]?.record == RoomRecord(room)) }
    }

    @Test("keeps catalogues that a server has kept of late, and those that rooms are played with") func catalogues() throws {
        let servers = try Servers(1)
        let store = servers.first
        var room = Sample.room("r_1", pin: try Sample.pin(1), lifetime: 1000)
        try store.create(&room)
        let names = (0..<40).map { "catalogue \($0)" }
        for name in names { try store.keep(catalogue: Array(name.utf8), fingerprint: name) }
        try servers.schema.run("UPDATE catalogue SET kept_at = now() - interval '8 days' WHERE fingerprint <> 'catalogue 7'")
        // Whoever still opens rooms with one says so.
        try store.keep(catalogue: Array(names[8].utf8), fingerprint: names[8])
        #expect(try names.filter { try store.catalogue($0) != nil } == Array(names[7...8]))
        #expect(try store.catalogue(Sample.catalogue.fingerprint) != nil)
        _ = try store.deleteExpired(at: Sample.now.advanced(by: 1000), limit: 1)
        try store.keep(catalogue: [1], fingerprint: "another")
        #expect(try store.catalogue(Sample.catalogue.fingerprint) == nil)
    }
}
