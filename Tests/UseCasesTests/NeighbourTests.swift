import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Two servers at one store.
@Suite("Servers that share a store", .timeLimit(.minutes(3))) struct NeighbourTests {
    private let here: Table
    private let there: Table

    init() throws { (here, there) = try Table.pair() }

    @Test("have the same rooms at every moment, though nobody tells them anything") func reads() async throws {
        for number in 0..<20 {
            let pin = try await here.open(by: 1).pin
            #expect(try await there.join(pin, as: 2).room.members.count == 2)
            // A change of one's own is seen at once, wherever one looks next.
            let (writer, reader) = number.isMultiple(of: 2) ? (here, there) : (there, here)
            let submitted = try await writer.submit(to: pin, by: 2).room.room
            #expect(RoomRecord(try await reader.read(pin)) == RoomRecord(submitted))
        }
    }

    @Test("refuse nobody because of what has changed elsewhere") func refusals() async throws {
        let pin = try await here.open().pin
        _ = try await there.read(pin)
        _ = try await here.join(pin, as: 2)
        // As it is in memory over there they are no member, and nobody has submitted.
        #expect(try await there.leave(pin, as: 2).members.count == 1)
        try await here.submit(to: pin, by: 3)
        let result = try await there.reveal(pin)
        #expect(result.outcome.playerCount == 1)
        #expect(try await here.reveal(pin) == result)
        #expect(here.failures.seen + there.failures.seen == 0)
    }

    @Test("lose no change when they change one room at the same time, and whoever was too slow once holds the room") func conflicts()
        async throws
    {
        let pin = try await here.open().pin
        let joining = (2..<102).map { number in (number.isMultiple(of: 2) ? here : there).joining(pin, as: number) }
        for joined in joining { #expect(try await joined.answer.get().isNew) }
        #expect(try await here.read(pin).members.count == 101)
        let room = try await there.read(pin)
        #expect(RoomRecord(room) == here.store[pin])

        let held = there.store.held.withLock(\.count)
        there.store.fail(.overtaken { $0.sequence += 1 })
        try await there.submit(to: pin, by: 3)
        let id = try await here.read(pin).id
        #expect(there.store.held.withLock { Array($0.dropFirst(held)) } == [[id]])
    }

    @Test("say that another has changed a room, though nobody watches it here") func heard() throws {
        let heard = Mutex(0)
        let table = try Table(store: FakeStore(isShared: true), neighbourChanged: { heard.withLock { $0 += 1 } })
        table.store.tell(.changed(Identifier("r_elsewhere"), sequence: 3))
        #expect(heard.withLock { $0 } == 1)
    }

    @Test("tell those who watch of each other's changes") func notices() async throws {
        let room = try await here.open()
        let listener = try await there.watch(room.pin)
        let changed = try await here.join(room.pin, as: 2).room
        here.store.tell(.changed(room.id, sequence: changed.sequence))
        #expect(try await listener.hears(changed.sequence))
        // Of its own change a server is told, too; there is nothing to look up then.
        let own = try await there.join(room.pin, as: 3).room
        #expect(try await listener.hears(own.sequence))
        here.store.tell(.changed(room.id, sequence: own.sequence))
        here.store.tell(.changed(Identifier("r_unknown"), sequence: 1))
        #expect(listener.sequences == [changed.sequence, own.sequence])

        // Somebody who reads may be quicker than the notice.
        let read = try await here.join(room.pin, as: 4).room
        #expect(RoomRecord(try await there.read(room.pin)) == RoomRecord(read))
        here.store.tell(.changed(room.id, sequence: read.sequence))
        #expect(try await listener.hears(read.sequence))

        try await here.close(room.pin)
        here.store.tell(.changed(room.id, sequence: read.sequence + 1))
        #expect(try await eventually { listener.ends == 1 })
        await expect(.roomNotFound) { try await there.read(room.pin) }
    }

    @Test("look by themselves for as long as they are told nothing, and once more when they are told again") func silence() async throws {
        let pin = try await here.open().pin
        let listener = try await there.watch(pin)
        here.store.tell(.silent)
        let first = try await here.join(pin, as: 2).room
        #expect(try await listener.hears(first.sequence))
        let second = try await here.join(pin, as: 3).room
        #expect(try await listener.hears(second.sequence))

        // Between the last look and the first notice.
        let other = try await here.open().pin
        let late = try await there.watch(other)
        let changed = try await here.join(other, as: 2).room
        here.store.tell(.resumed)
        #expect(try await late.hears(changed.sequence))
    }

    @Test("hear of a change that could not be looked up when it was told, as soon as it can") func failedLook() async throws {
        let room = try await here.open()
        let listener = try await there.watch(room.pin)
        #expect(try await eventually { there.rooms.watchers.pin(of: room.id) != nil })
        // From before the change: the look now and then at all that is watched must not find it either.
        here.store.with { $0.cannotLoad = true }
        let changed = try await here.join(room.pin, as: 2).room
        let failures = there.failures.seen
        here.store.tell(.changed(room.id, sequence: changed.sequence))
        #expect(try await eventually { there.failures.seen > failures })
        #expect(listener.sequences == [])
        here.store.with { $0.cannotLoad = false }
        #expect(try await listener.hears(changed.sequence))
    }

    @Test("look at all that is watched, however much it is, when they are told again") func manyWatched() async throws {
        let pins = try await (0..<Bounds.questionsPerCall + 10).asyncMap { number in try await here.open(by: number).pin }
        let listeners = try await pins.asyncMap { try await there.watch($0) }
        #expect(try await eventually { there.rooms.watchers.watched.count == pins.count })
        here.store.with { state in for pin in pins { state.rooms[pin]?.sequence += 1 } }
        here.store.tell(.resumed)
        for listener in listeners { #expect(try await listener.hears(2)) }
    }

    @Test("hold a room that cannot be read against no other: not for those who watch, read or change") func damaged() async throws {
        let rooms = try await (0..<3).asyncMap { _ in try await here.open() }
        let listeners = try await rooms.asyncMap { try await there.watch($0.pin) }
        #expect(try await eventually { there.rooms.watchers.watched.count == rooms.count })
        let damaged = rooms[1].pin
        here.store.with { state in
            for room in rooms { state.rooms[room.pin]?.sequence += 1 }
            state.damaged = [damaged]
        }
        here.store.tell(.resumed)
        #expect(try await listeners[0].hears(2))
        #expect(try await listeners[2].hears(2))
        #expect(listeners[1].sequences == [])

        let third = try Table(store: here.store.neighbour())
        let reads = rooms.map { room in Pending { completion in third.rooms.read(room.pin, completion: completion) } }
        let joins = rooms.map { room in third.joining(room.pin, as: 9) }
        for number in [0, 2] {
            #expect(try await reads[number].answer.get().room.id == rooms[number].id)
            #expect(try await joins[number].answer.get().isNew)
        }
        await expect(.storeUnavailable) { try await reads[1].answer.get() }
        await expect(.storeUnavailable) { try await joins[1].answer.get() }

        // And once it can be read again, it is.
        here.store.with { $0.damaged = [] }
        #expect(try await listeners[1].hears(2))
    }

    @Test("tell of what is told at once, while a room is watched that cannot be read, and ask for that ever more seldom")
    func unreadable() async throws {
        let (room, damaged) = (try await here.open(), try await here.open())
        let (listener, waiting) = (try await there.watch(room.pin), try await there.watch(damaged.pin))
        #expect(try await eventually { there.rooms.watchers.watched.count == 2 })
        let failures = there.failures.seen
        here.store.with { state in
            state.rooms[damaged.pin]?.sequence += 1
            state.damaged = [damaged.pin]
        }
        here.store.tell(.resumed)
        #expect(try await eventually { there.failures.seen > failures })
        let notices = 2..<42
        for number in notices {
            let changed = try await here.join(room.pin, as: number).room
            here.store.tell(.changed(damaged.id, sequence: number))
            here.store.tell(.changed(room.id, sequence: changed.sequence))
            #expect(try await listener.hears(changed.sequence))
        }
        // Were it asked for with the others, it would have failed each time.
        #expect(there.failures.seen - failures < notices.count / 2)
        #expect(waiting.sequences == [])
    }

    @Test("say as of when what they show was so, while the store cannot be asked") func outdated() async throws {
        let pin = try await here.open().pin
        _ = try await there.read(pin)
        let last = there.clock.now
        for table in [here, there] { table.clock.advance(by: 5000) }
        here.store.with { $0.cannotLoad = true }
        #expect(try await there.published(pin).asOf == last)
        #expect(try await there.published(pin).asOf == last)
        here.store.with { $0.cannotLoad = false }
        #expect(try await there.published(pin).asOf == nil)
    }

    @Test("say so of each room for itself, however lately they have heard of another") func outdatedApart() async throws {
        let pins = [try await here.open().pin, try await here.open(by: 2).pin]
        var compared: [Instant] = []
        for pin in pins {
            _ = try await there.read(pin)
            _ = try await there.read(pin)
            compared.append(there.clock.now)
            for table in [here, there] { table.clock.advance(by: 5000) }
        }
        here.store.with { $0.cannotLoad = true }
        for (pin, instant) in zip(pins, compared) { #expect(try await there.published(pin).asOf == instant) }
    }

    @Test("show what they know, and as of when, to who comes when too many wait for the store already") func crowded() async throws {
        let pin = try await here.open().pin
        _ = try await there.read(pin)
        let last = there.clock.now
        there.clock.advance(by: 5000)
        let crowd = Bounds.waitingQuestions + Bounds.questionsPerCall + 1
        let answers = Mutex<[Result<PublishedRoom, Failure>]>([])
        // The store answers nobody as long as this has it.
        let atOnce = here.store.with { _ in
            for _ in 0..<crowd { there.rooms.read(pin) { answer in answers.withLock { $0.append(answer) } } }
            return answers.withLock(\.self)
        }
        #expect(!atOnce.isEmpty)
        for answer in atOnce { #expect(try answer.get().asOf == last) }
        #expect(try await eventually { answers.withLock(\.count) == crowd })
    }

    @Test("take the store's word for which room has a PIN, whatever their clocks say") func clocks() async throws {
        here.clock.advance(by: 30_000)
        let early = try await here.open()
        _ = try await there.read(early.pin)
        try await here.close(early.pin)
        // By the other clock it is opened before.
        var next = Room(
            id: Identifier("r_next"), pin: early.pin, catalogue: here.rooms.catalogue, host: Table.token(7), nickname: nil,
            revealWhen: RevealPolicy(), deadlineAt: nil, lifetime: 60_000, at: there.clock.now)
        #expect(try here.store.commit([RoomChange(room: next, basedOn: nil, events: next.takeEvents())]) == [.stored])
        #expect(try await there.join(early.pin, as: 8).room.id == next.id)
        #expect(try await there.read(early.pin).id == next.id)
    }

    @Test("go on showing what they know when the store cannot be asked") func outage() async throws {
        let pin = try await here.open().pin
        let room = try await there.join(pin, as: 2).room
        let unknown = try await here.open().pin
        here.store.with { $0.cannotLoad = true }
        #expect(RoomRecord(try await there.read(pin)) == RoomRecord(room))
        await expect(.storeUnavailable) { try await there.read(unknown) }
        // A refusal that may rest on what is no longer so is none.
        await expect(.storeUnavailable) { try await there.leave(pin, as: 9) }
        await expect(.storeUnavailable) { try await there.reveal(pin, by: 9) }
    }

    @Test("go on showing what they know when the store says that there is more, and is lost before it says what") func halfAnOutage()
        async throws
    {
        let pin = try await here.open().pin
        let room = try await there.read(pin)
        let changed = try await here.join(pin, as: 2).room
        here.store.with { $0.cannotLoadRooms = true }
        #expect(RoomRecord(try await there.read(pin)) == RoomRecord(room))
        here.store.with { $0.cannotLoadRooms = false }
        #expect(RoomRecord(try await there.read(pin)) == RoomRecord(changed))

        // Of one that is no more nothing is shown.
        try await here.close(pin)
        here.store.with { $0.cannotLoadRooms = true }
        await expect(.storeUnavailable) { try await there.read(pin) }
    }

    @Test("find the room that has drawn an expired one's PIN") func expiredPIN() async throws {
        let pin = try await here.open().pin
        _ = try await there.read(pin)
        for table in [here, there] { table.clock.advance(by: 60_000) }
        await expect(.roomNotFound) { try await there.read(pin) }
        var next = Room(
            id: Identifier("r_next"), pin: pin, catalogue: here.rooms.catalogue, host: Table.token(7), nickname: nil,
            revealWhen: RevealPolicy(), deadlineAt: nil, lifetime: 60_000, at: here.clock.now)
        let change = RoomChange(room: next, basedOn: nil, events: next.takeEvents())
        #expect(try here.store.commit([change]) == [.stored])
        #expect(try await there.read(pin).id == next.id)
        #expect(try await there.join(pin, as: 8).room.id == next.id)
    }

    @Test("answer many reads with few questions") func coalesced() async throws {
        let pins = try await (0..<10).asyncMap { _ in try await here.open().pin }
        for pin in pins { _ = try await there.read(pin) }
        let before = there.store.asked.withLock(\.calls)
        let reads = (0..<1000).map { number in
            Pending { completion in there.rooms.read(pins[number % 10], completion: completion) }
        }
        for read in reads { #expect(try await read.answer.get().room.members.count == 1) }
        #expect(there.store.asked.withLock(\.calls) - before < 500)
    }

    @Test("reveal a room that is due though nobody looks at it, one of them for all") func due() async throws {
        let byClock = RevealPolicy(host: false, deadline: true)
        let deadline = here.clock.now.advanced(by: 10_000)
        let pin = try await here.open(revealWhen: byClock, deadlineAt: deadline).pin
        try await here.submit(to: pin, by: 2)
        for table in [here, there] { table.clock.advance(by: 10_000) }
        let seen = await withTaskGroup(of: Int.self) { group in
            for table in [here, there] {
                group.addTask { await withCheckedContinuation { done in table.rooms.settleDue { done.resume(returning: $0) } } }
            }
            return await group.reduce(0, +)
        }
        #expect(seen == 1)
        #expect(try await eventually { here.store[pin]?.results.first?.revealedAt == deadline })
    }
}
