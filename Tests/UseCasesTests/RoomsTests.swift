import MenuGame
import TestSupport
import Testing

@testable import UseCases

@Suite("Rooms") struct RoomsTests {
    @Test("know who comes, who is called what, and who goes") func members() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        #expect(try await table.join(pin, as: 2, nickname: Nickname(stored: "민지")).isNew)
        let (isNew, room) = try await table.join(pin, as: 2, nickname: Nickname(stored: "지훈"))
        #expect(!isNew && room.member(Table.token(2))?.nickname?.text == "지훈")
        let left = try await table.leave(pin, as: 1)
        #expect(left.host == MemberID(number: 2))
        await expect(.refused(.notMember)) { try await table.leave(pin, as: 1) }
        #expect(table.store[pin] == RoomRecord(left))
    }

    @Test("take answers, others in their place, and back") func submissions() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let first = try await table.submit(to: pin, by: 2)
        let second = try await table.submit(AnswerDraft(), to: pin, by: 2)
        #expect(first.isNew && !second.isNew)
        #expect(first.submission.id == second.submission.id && second.submission.revision == 2)
        #expect(try await table.withdraw(from: pin, by: 2).submissionCount == 0)
        #expect(try await table.withdraw(from: pin, by: 2).sequence == second.room.room.sequence + 1)
        let error = await #expect(throws: SubmitFailure<AnswerFaults>.self) {
            try await table.submit(AnswerDraft(answers: [("soup", .word("maybe"))], vetoes: ["?"]), to: pin, by: 2)
        }
        guard case .faulty(let faults)? = error else {
            Issue.record("not faulty")
            return
        }
        #expect(faults.faults.map(\.kind) == [.unknownOption, .unknownVeto])
    }

    @Test("are no more than can be, all at once") func full() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let accepted = await withTaskGroup(of: Bool.self) { group in
            for token in 2...(Limits.membersPerRoom + 50) {
                group.addTask { (try? await table.submit(to: pin, by: token)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(accepted == Limits.membersPerRoom - 1)
        await expect(.refused(.roomFull)) { try await table.join(pin, as: 9999) }
        #expect(try await RoomRecord(table.read(pin)) == table.store[pin])
    }

    @Test("that were put out of memory come back the same") func eviction() async throws {
        let table = try Table(capacity: 3)
        var rooms: [Room] = []
        for host in 1...20 {
            let pin = try await table.open(by: host).pin
            try await table.submit(to: pin, by: 100)
            rooms.append(try await table.join(pin, as: 200).room)
        }
        let before = table.store.with(\.loads)
        for room in rooms { #expect(try await RoomRecord(table.read(room.pin)) == RoomRecord(room)) }
        #expect(table.store.with(\.loads) > before)
        // Commands find them too.
        for room in rooms { #expect(try await table.withdraw(from: room.pin, by: 100).sequence == room.sequence + 1) }
    }

    @Test("stay as they were where the store cannot be read, and others are not found to be gone") func unreadable() async throws {
        let table = try Table(capacity: 1)
        let pins = try await [table.open().pin, table.open().pin, table.open().pin, table.open().pin]
        table.store.with { $0.cannotLoad = true }
        await expect(.storeUnavailable) { try await table.read(pins[0]) }
        #expect(try await table.read(pins[3]).pin == pins[3])
        table.store.with { $0.cannotLoad = false }
        #expect(try await table.read(pins[0]).pin == pins[0])
    }
}

@Suite("The board") struct BoardTests {
    private let now = Instant(milliseconds: 1_790_000_000_000)

    @Test("never shows an older state in place of a newer one") func order() throws {
        let board = RoomBoard(capacity: 10)
        let old = try room("r_1")
        var new = old
        _ = try new.join(Table.token(2), nickname: nil, at: now)
        board.publish(PublishedRoom(new))
        #expect(board.publish(PublishedRoom(old)).room.sequence == new.sequence)
        #expect(board[old.pin]?.room.sequence == new.sequence)
    }

    @Test("does not show what was loaded before a room went") func slowLoad() throws {
        let board = RoomBoard(capacity: 10)
        let room = try room("r_1", lifetime: 1000)
        let removals = board.removals
        board.publish(PublishedRoom(room))
        board.remove([room.pin], expiredAt: now.advanced(by: 1000))
        _ = board.publish(PublishedRoom(room), ifUnchangedSince: removals)
        #expect(board[room.pin] == nil)
    }

    @Test("does not show a room that expired in place of the one that has its PIN now") func redrawnPIN() throws {
        let old = try room("r_1", lifetime: 1000)
        let new = try room("r_2", at: now.advanced(by: 1000))
        for isOnBoard in [true, false] {
            let board = RoomBoard(capacity: 1000)
            if isOnBoard { board.publish(PublishedRoom(old)) }
            // A load that began while the old one was live, and ends when the new one has been opened.
            let removals = board.removals
            board.publish(PublishedRoom(new))
            _ = board.publish(PublishedRoom(old), ifUnchangedSince: removals)
            #expect(board[new.pin]?.room.id == new.id)
        }
    }

    @Test("keeps the rooms that are used and no more than it may") func bounded() throws {
        let board = RoomBoard(capacity: 10)
        let used = try room("r_0", pin: "000000")
        board.publish(PublishedRoom(used))
        for number in 1...100 {
            board.publish(PublishedRoom(try room("r_\(number)", pin: String(100_000 + number))))
            #expect(board[used.pin] != nil)
        }
        #expect(try (1...100).count { board[try #require(PIN(String(100_000 + $0)))] != nil } <= 20)
    }

    private func room(_ id: String, pin: String = "123456", lifetime: Int64 = 60_000, at now: Instant? = nil) throws -> Room {
        Room(
            id: Identifier(id), pin: try #require(PIN(pin)), catalogue: try Table.catalogue(), host: Table.token(1), nickname: nil,
            revealWhen: RevealPolicy(), deadlineAt: nil, lifetime: lifetime, at: now ?? self.now)
    }
}
