import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

@Suite("The writer") struct WriterTests {
    @Test("shows and answers nothing before it is stored") func publishesAfterCommit() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try hold(table)
        let submitted = table.submitting(to: pin, by: 2)
        let joined = table.joining(pin, as: 3)
        try await waitForCommit(2, at: table)
        #expect(try await table.read(pin).members.count == 1)
        table.store.gate.signal()
        #expect(try await submitted.answer.get().room.room.submissionCount == 1)
        #expect(try await joined.answer.get().isNew)
        #expect(try await table.read(pin).members.count == 3)
    }

    @Test("puts what arrives during a commit into the next one, all of it") func batches() async throws {
        let table = try Table()
        let pins = try await openMany(10, at: table)
        try hold(table)
        let first = table.joining(pins[0], as: 2)
        try await waitForCommit(11, at: table)
        let rest = (3..<103).map { table.submitting(to: pins[$0 % 10], by: $0) }
        table.store.gate.signal()
        for submitted in rest { #expect(try await submitted.answer.get().isNew) }
        #expect(try await first.answer.get().isNew)
        #expect(table.store.with(\.commits) == 12)
        for pin in pins { #expect(try await RoomRecord(table.read(pin)) == table.store[pin]) }
    }

    @Test("knows the rooms that it began a batch with, though those that it has loaded for it take their places on the board")
    func evicted() async throws {
        let table = try Table(capacity: 1)
        let pins = try await openMany(4, at: table)
        let blocked = try await table.read(pins[0])
        try hold(table)
        // While this is written down, all that follows gathers in one batch. Its room is on the board, and the others are not.
        let first = table.joining(blocked.pin, as: 9)
        try await waitForCommit(5, at: table)
        let second = table.joining(blocked.pin, as: 10)
        let others = pins.dropFirst().map { table.joining($0, as: 9) }
        table.store.gate.signal()
        for joined in [first, second] + others { #expect(try await joined.answer.get().isNew) }
    }

    @Test("writes down what phones are to be told where the settings say so, and says that it has", arguments: [true, false])
    func notices(writes: Bool) async throws {
        let told = Mutex(0)
        let table = try Table(writesNotices: writes, noticeWritten: { told.withLock { $0 += 1 } })
        let pin = try await table.open().pin
        try await table.submit(to: pin, by: 1)
        _ = try await table.reveal(pin)
        let written = table.store.with(\.notices)
        #expect((written > 0) == writes)
        #expect(told.withLock { $0 } == written)
    }

    @Test("takes nothing back that it has answered when a commit fails, and heals", arguments: [true, false])
    func failingCommit(isStoredAfterAll: Bool) async throws {
        let table = try Table()
        let before = try await table.join(table.open().pin, as: 2).room
        let pin = before.pin
        table.store.fail(isStoredAfterAll ? .unknown : .failed)
        await expect(.storeUnavailable) { try await table.submit(to: pin, by: 3) }
        #expect(table.failures.seen == 1)
        #expect(try await RoomRecord(table.read(pin)) == RoomRecord(before))

        // What was stored is found out before anything is built upon it.
        let after = try await table.submit(to: pin, by: 4).room.room
        #expect(after.members.map(\.id.number) == (isStoredAfterAll ? [1, 2, 3, 4] : [1, 2, 3]))
        #expect((after.member(Table.token(3)) != nil) == isStoredAfterAll)
        #expect(after.sequence > before.sequence)
        #expect(table.store[pin] == RoomRecord(after))
    }

    @Test("says that the store is unavailable for as long as a room cannot be loaded") func cannotLoad() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        table.store.fail(.failed)
        table.store.with { $0.cannotLoad = true }
        for token in 2...4 { await expect(.storeUnavailable) { try await table.join(pin, as: token) } }
        #expect(try await table.read(pin).members.count == 1)
        table.store.with { $0.cannotLoad = false }
        #expect(try await table.join(pin, as: 2).isNew)
    }

    @Test("lets a refusal wait for the commit that it rests on") func refusalWaits() async throws {
        let table = try Table()
        let pin = try await table.open(revealWhen: RevealPolicy(submissions: 1)).pin
        try hold(table)
        let blocker = table.joining(pin, as: 9)
        try await waitForCommit(2, at: table)
        table.store.with { $0.faults = [.failed, .failed] }
        // In one batch: the first reveals the room, the second is too late for that reason.
        let first = table.submitting(to: pin, by: 2)
        let second = table.submitting(to: pin, by: 3)
        table.store.gate.signal()
        await expect(.storeUnavailable) { try await blocker.answer.get() }
        await expect(.storeUnavailable) { try await first.answer.get() }
        await expect(.storeUnavailable) { try await second.answer.get() }
        #expect(table.store.with(\.begun) == 3)
        #expect(try await table.read(pin).phase == .open)
    }

    @Test("tells nobody that a room is closed before it is, whatever they want of it") func closingWaits() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try hold(table)
        let blocker = table.joining(pin, as: 9)
        try await waitForCommit(2, at: table)
        table.store.with { $0.faults = [.failed, .failed] }
        // In one batch: the first closes the room, and the others would find none.
        let closing = Pending { table.rooms.close(pin, by: Table.token(1), completion: $0) }
        let again = Pending { table.rooms.close(pin, by: Table.token(1), completion: $0) }
        let joining = table.joining(pin, as: 2)
        let submitting = table.submitting(to: pin, by: 3)
        let leaving = Pending { table.rooms.leave(pin, as: Table.token(1), completion: $0) }
        table.store.gate.signal()
        await expect(.storeUnavailable) { try await blocker.answer.get() }
        await expect(.storeUnavailable) { try await closing.answer.get() }
        await expect(.storeUnavailable) { try await again.answer.get() }
        await expect(.storeUnavailable) { try await joining.answer.get() }
        await expect(.storeUnavailable) { try await submitting.answer.get() }
        await expect(.storeUnavailable) { try await leaving.answer.get() }
        #expect(table.store.with(\.begun) == 3)
        #expect(try await table.join(pin, as: 2).isNew)
    }

    @Test("applies a command again when somebody else was faster") func conflict() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        table.store.fail(
            .overtaken { room in
                room.sequence += 1
                room.memberCounter += 1
                room.members.append(
                    RoomRecord.Member(id: MemberID(number: 2), token: Table.token(7), nickname: nil, joinedAt: room.createdAt))
            })
        let (isNew, room) = try await table.join(pin, as: 2)
        #expect(isNew)
        #expect(room.members.map(\.token) == [1, 7, 2].map(Table.token))
        #expect(room.members.map(\.id.number) == [1, 2, 3])
        #expect(table.store[pin] == RoomRecord(room))
    }

    @Test("does not try for ever") func endlessConflict() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        table.store.with { $0.faults = Array(repeating: .overtaken { $0.sequence += 1 }, count: 50) }
        await expect(.storeUnavailable) { try await table.join(pin, as: 2) }
        table.store.fail()
        #expect(try await table.join(pin, as: 2).isNew)
    }

    @Test("refuses at once what is too much, and loses nothing that it took") func overload() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try hold(table)
        let (taken, refused) = await withCheckedContinuation { continuation in
            let counts = Mutex((taken: 0, refused: 0))
            for number in 0..<10_000 {
                table.rooms.join(pin, as: Table.token(2 + number % 300), nickname: nil) { result in
                    let counted = counts.withLock { counts in
                        if case .success = result { counts.taken += 1 } else { counts.refused += 1 }
                        return counts
                    }
                    if counted.taken + counted.refused == 10_000 { continuation.resume(returning: counted) }
                }
            }
            #expect(counts.withLock { $0.taken == 0 && $0.refused >= 10_000 - 8192 - 1024 })
            table.store.gate.signal()
        }
        #expect(taken >= 8192 && taken + refused == 10_000)
        #expect(try await table.read(pin).members.count == 301)
    }

    @Test("finishes what it took before it closes, and takes no more") func closes() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        try hold(table)
        let joined = table.joining(pin, as: 2)
        try await waitForCommit(2, at: table)
        let waiting = table.submitting(to: pin, by: 2)
        let closed = Pending<Bool> { completion in table.rooms.close { completion(true) } }
        await expect(.shuttingDown) { try await table.join(pin, as: 3) }
        table.store.gate.signal()
        #expect(try await closed.answer)
        #expect(table.store[pin]?.members.count == 2)
        #expect(table.store[pin]?.members.last?.submission != nil)
        #expect(try await joined.answer.get().isNew)
        #expect(try await waiting.answer.get().isNew)
    }

    private func hold(_ table: Table) throws {
        try #require(table.store.gate.wait(timeout: .now() + 5) == .success)
    }

    private func openMany(_ count: Int, at table: Table) async throws -> [PIN] {
        var pins: [PIN] = []
        for _ in 0..<count { pins.append(try await table.open().pin) }
        return pins
    }

    /// Waits until that many commits have begun.
    private func waitForCommit(_ count: Int, at table: Table) async throws {
        for _ in 0..<5000 {
            if table.store.with(\.begun) >= count { return }
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record("no commit has begun")
    }
}
