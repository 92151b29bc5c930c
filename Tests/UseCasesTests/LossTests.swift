import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Two servers at a store that loses what it had acknowledged: a standby that lacked it was promoted, or a dump was put back.
@Suite("Servers whose store has gone back", .timeLimit(.minutes(3))) struct LossTests {
    private let here: Table
    private let there: Table

    init() throws { (here, there) = try Table.pair() }

    /// What the store has now, to be put back.
    private var saved: FakeStore.State { here.store.with { $0 } }

    private func putBack(_ state: FakeStore.State) { here.store.with { $0 = state } }

    /// A room of which `here` shows more than the store has.
    private func phantom() async throws -> (lost: Room, kept: RoomRecord) {
        let pin = try await here.open().pin
        try await here.submit(to: pin, by: 2)
        let state = saved
        try await here.submit(to: pin, by: 3)
        _ = try await here.reveal(pin)
        let lost = try await here.read(pin)
        putBack(state)
        return (lost, try #require(here.store[pin]))
    }

    @Test("show what the store has, and say once that it has lost something") func reads() async throws {
        let (lost, kept) = try await phantom()
        let failures = here.failures.seen
        #expect(RoomRecord(try await here.read(lost.pin)) == kept)
        #expect(here.failures.seen == failures + 1)
        #expect(try await here.published(lost.pin).asOf == nil)
        #expect(here.failures.seen == failures + 1)
    }

    @Test("change what the store has") func writes() async throws {
        let (lost, kept) = try await phantom()
        #expect(try await here.submit(to: lost.pin, by: 4).room.room.sequence == kept.sequence + 2)
        #expect(RoomRecord(try await here.read(lost.pin)) == here.store[lost.pin])
        #expect(RoomRecord(try await there.read(lost.pin)) == here.store[lost.pin])
    }

    @Test("give it their catalogue again, which it may have lost, too") func catalogue() async throws {
        let (lost, _) = try await phantom()
        here.store.with { $0.catalogues = [:] }
        _ = try await here.read(lost.pin)
        _ = await here.sweep()
        #expect(here.store.with { $0.catalogues.keys.first } == here.rooms.catalogue.fingerprint)
    }

    @Test("refuse nobody by what it has lost") func refusals() async throws {
        let (lost, _) = try await phantom()
        // Here it was revealed.
        #expect(try await here.reveal(lost.pin).outcome.playerCount == 1)
    }

    @Test("do not take a state for the store's because it has come as far as that again") func equalSequences() async throws {
        let (lost, kept) = try await phantom()
        for number in 10..<10 + lost.sequence - kept.sequence { _ = try await there.join(lost.pin, as: number) }
        let acknowledged = try #require(here.store[lost.pin])
        #expect(acknowledged.sequence == lost.sequence && acknowledged.results.isEmpty)

        // By the lost state it is revealed, and there can be another round.
        await expect(.refused(.notRevealed)) { try await here.beginRound(in: lost.pin) }
        #expect(here.store[lost.pin] == acknowledged)
        #expect(RoomRecord(try await here.read(lost.pin)) == acknowledged)
        try await here.submit(to: lost.pin, by: 10)
        #expect(here.store[lost.pin]?.members.count == acknowledged.members.count)
    }

    @Test("read it anew where it has come as far as what they show") func equalRead() async throws {
        let (lost, kept) = try await phantom()
        for number in 10..<10 + lost.sequence - kept.sequence { _ = try await there.join(lost.pin, as: number) }
        #expect(RoomRecord(try await here.read(lost.pin)) == here.store[lost.pin])
    }

    @Test("tell those who watch, who have seen more than there is, and those who wait for more") func watchers() async throws {
        let pin = try await here.open().pin
        let state = saved
        let lost = try await here.submit(to: pin, by: 2).room
        let kept = try #require(state.rooms[pin])
        let asked = here.store.asked.withLock(\.calls)
        // The listener reads it, and each looks once more when it is there.
        let listener = try await here.watch(pin)
        #expect(try await eventually { here.store.asked.withLock(\.calls) >= asked + 2 })
        let waiting = Pending { completion in
            _ = here.rooms.awaitChange(of: lost, after: lost.room.sequence, atMost: 3600, completion: completion)
        }
        #expect(try await eventually { here.store.asked.withLock(\.calls) >= asked + 3 })
        putBack(state)
        here.store.tell(.resumed)
        #expect(try await listener.hears(kept.sequence))
        #expect(RoomRecord(try await waiting.answer.get().room) == kept)
        // And of what comes then, though that is not as far either.
        let joined = try await here.join(pin, as: 5).room
        #expect(joined.sequence < lost.room.sequence)
        #expect(try await listener.hears(joined.sequence))
    }

    @Test("go by the deadline that the store has") func deadlines() async throws {
        let byClock = RevealPolicy(host: true, deadline: true)
        let deadline = here.clock.now.advanced(by: 10_000)
        let pin = try await here.open(revealWhen: byClock, deadlineAt: deadline).pin
        try await here.submit(to: pin, by: 2)
        let state = saved
        _ = try await here.reveal(pin)
        _ = try await here.beginRound(in: pin, deadlineAt: deadline.advanced(by: 20_000))
        let asked = here.store.asked.withLock(\.calls)
        let listener = try await here.watch(pin)
        #expect(try await eventually { here.store.asked.withLock(\.calls) >= asked + 2 })
        putBack(state)
        here.store.tell(.resumed)
        #expect(try await eventually { listener.rooms.last?.deadlineAt == deadline })
        for table in [here, there] { table.clock.advance(by: 10_000) }
        #expect(try await eventually { listener.rooms.last?.phase == .revealed })
    }

    @Test("keep what is newer than an answer that was asked for before it") func oldAnswer() async throws {
        let pin = try await here.open().pin
        let loader = here.rooms.loader
        let known = loader.known([pin])
        let answer = try #require(try loader.load([pin], at: here.clock.now)[pin])
        let joined = try await here.join(pin, as: 2).room
        let failures = here.failures.seen
        #expect(loader.show(answer, over: known[pin]) == nil)
        #expect(here.rooms.board.publish(answer).room.sequence == joined.sequence)
        #expect(here.failures.seen == failures)
    }

    @Test("lose nobody who watches over an answer that is kept with a room and changes nothing of it") func receipts() async throws {
        let pin = try await here.open().pin
        let listener = try await there.watch(pin)
        let before = try await there.published(pin)
        here.store.with { $0.marks[pin] = 7 }
        let after = try await there.published(pin)
        #expect(before.version != after.version && there.failures.seen == 0)
        let joined = try await here.join(pin, as: 2).room
        here.store.tell(.changed(joined.id, sequence: joined.sequence))
        #expect(try await listener.hears(joined.sequence))
        #expect(listener.sequences == [joined.sequence])
    }
}
