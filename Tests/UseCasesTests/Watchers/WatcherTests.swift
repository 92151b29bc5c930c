import Dispatch
import MenuGame
import TestSupport
import Testing

@testable import UseCases

@Suite("Watchers", .timeLimit(.minutes(3))) struct WatcherTests {
    @Test("hear of every change, in order and once") func changes() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let listener = try await table.watch(pin)
        var sequences: [Int] = []
        for token in 2...6 {
            sequences.append(try await table.join(pin, as: token).room.sequence)
            #expect(try await listener.hears(sequences[sequences.count - 1]))
        }
        // Nothing has changed: there is nothing to hear.
        _ = try await table.join(pin, as: 2)
        _ = try await table.withdraw(from: pin, by: 3)
        sequences.append(try await table.submit(to: pin, by: 2).room.room.sequence)
        #expect(try await listener.hears(sequences[5]))
        #expect(listener.sequences == sequences)
        #expect(listener.ends == 0)
    }

    @Test("hear of what has changed since they looked") func late() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let room = try await table.published(pin)
        let now = try await table.join(pin, as: 2).room
        let listener = Listener()
        table.rooms.watch(room, after: room.room.sequence, by: listener)
        #expect(try await listener.hears(now.sequence))
        let knowing = Listener()
        table.rooms.watch(room, after: now.sequence, by: knowing)
        let next = try await table.join(pin, as: 3).room
        #expect(try await knowing.hears(next.sequence))
        #expect(knowing.sequences == [next.sequence])
    }

    @Test("hear nothing twice, and nothing old, whatever is said of the room") func repetition() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let old = try await table.published(pin)
        let listener = try await table.watch(pin)
        let first = try await table.join(pin, as: 2).room.sequence
        #expect(try await listener.hears(first))
        let present = try await table.published(pin)
        let another = try await table.watch(pin)
        // As it is where somebody reads between the publication and the word of it.
        for room in [present, old, present] { table.rooms.watchers.changed(room) }
        let second = try await table.join(pin, as: 3).room.sequence
        for listener in [listener, another] { #expect(try await listener.hears(second)) }
        #expect(listener.sequences == [first, second])
        #expect(another.sequences == [second])
    }

    @Test("that come while it changes all see it at its last, and no one sees it go back") func storm() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let listeners = (0..<50).map { _ in Listener() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in 2...100 { group.addTask { _ = try await table.join(pin, as: token) } }
            for listener in listeners { group.addTask { _ = try await table.watch(pin, with: listener) } }
            try await group.waitForAll()
        }
        let last = try await table.join(pin, as: 101).room.sequence
        for listener in listeners {
            #expect(try await listener.hears(last))
            #expect(zip(listener.sequences, listener.sequences.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("hear nothing of another room, nor of one that has drawn the same PIN") func separation() async throws {
        let table = try Table(pinSpace: PINSpace(first: 1))
        let old = try await table.open().pin
        let listener = try await table.watch(old)
        let stranger = try Table()
        let other = try await stranger.watch(stranger.open().pin)
        table.clock.advance(by: 60_000)
        #expect(await table.sweep() == 1)
        #expect(try await table.open(by: 7).pin == old)
        let successor = try await table.watch(old)
        let joined = try await table.join(old, as: 8).room
        #expect(try await successor.hears(joined.sequence))
        #expect(try await eventually { listener.ends == 1 })
        #expect(listener.rooms.isEmpty)
        #expect(other.rooms.isEmpty && other.ends == 0)
        #expect(successor.ends == 0)
    }

    @Test("that have gone hear nothing more, and leave nothing behind") func leaving() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let room = try await table.published(pin)
        let (gone, there) = (try await table.watch(pin), try await table.watch(pin))
        table.rooms.unwatch(room.room.id, by: gone)
        let sequence = try await table.join(pin, as: 2).room.sequence
        #expect(try await there.hears(sequence))
        #expect(gone.rooms.isEmpty)
        weak var last: Listener?
        do {
            let listener = try await table.watch(pin)
            last = listener
            table.rooms.unwatch(room.room.id, by: listener)
        }
        #expect(try await eventually { last == nil })
    }

    @Test("that dawdle hold up no command, and find the newest state and none between") func slow() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let listener = Listener()
        listener.gate.wait()
        _ = try await table.watch(pin, with: listener)
        let first = try await table.join(pin, as: 2).room.sequence
        #expect(try await listener.hears(first))
        var last = first
        for token in 3...20 { last = try await table.join(pin, as: token).room.sequence }
        listener.gate.signal()
        #expect(try await listener.hears(last))
        #expect(listener.sequences == [first, last])
    }

    @Test("make what they have in common once for each piece of news") func sharing() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        var listeners: [Listener] = []
        for _ in 0..<10 { listeners.append(try await table.watch(pin)) }
        let sequence = try await table.join(pin, as: 2).room.sequence
        for listener in listeners { #expect(try await listener.hears(sequence)) }
        #expect(Set(listeners.map(\.shared)).count == 1)
        #expect(listeners[0].shared.count == 1)
    }

    @Test("hear of what was stored though that could not be told at the time") func storedAfterAll() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let listener = try await table.watch(pin)
        table.store.fail(.unknown)
        await expect(.storeUnavailable) { try await table.join(pin, as: 2) }
        // Refused, so that it changes nothing itself.
        await expect(.refused(.notMember)) { try await table.leave(pin, as: 9) }
        #expect(try await eventually { listener.rooms.last?.members.count == 2 })
    }

    @Test("are told once when the room is over, and those who come too late at once") func end() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let room = try await table.published(pin)
        let listener = try await table.watch(pin)
        table.store.with { $0.rooms = [:] }
        table.rooms.board.remove(pin, ofRoom: room.room.id)
        for _ in 1...3 { table.rooms.watchers.end(room.room.id) }
        #expect(try await eventually { listener.ends > 0 })
        let late = Listener()
        table.rooms.watch(room, after: room.room.sequence, by: late)
        #expect(try await eventually { late.ends == 1 })
        #expect(listener.ends == 1)
        #expect(listener.rooms.isEmpty && late.rooms.isEmpty)
    }
}
