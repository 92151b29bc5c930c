import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Deadlines", .timeLimit(.minutes(3))) struct DeadlineTests {
    private let byClock = RevealPolicy(host: false, deadline: true)

    @Test("reveal a watched room without anybody asking, as of the deadline") func reveal() async throws {
        let table = try Table()
        let deadline = table.clock.now.advanced(by: 10_000)
        let pin = try await table.open(revealWhen: byClock, deadlineAt: deadline).pin
        let listener = try await table.watch(pin)
        try await table.submit(to: pin, by: 2)
        table.clock.advance(by: 10_300)
        #expect(try await eventually { listener.rooms.last?.phase == .revealed })
        #expect(listener.rooms.last?.result?.revealedAt == deadline)
        #expect(listener.ends == 0)
    }

    @Test("reveal nothing where nobody has answered, and the room goes on") func empty() async throws {
        let table = try Table()
        let pin = try await table.open(revealWhen: byClock, deadlineAt: table.clock.now.advanced(by: 10_000)).pin
        let listener = try await table.watch(pin)
        table.clock.advance(by: 20_000)
        let late = try await table.submit(to: pin, by: 2).room.room
        #expect(try await listener.hears(late.sequence))
        #expect(late.phase == .open)
        // It is watched to its end, and nothing has been revealed until then.
        table.clock.advance(by: 40_000)
        #expect(try await eventually { listener.ends == 1 })
        #expect(listener.rooms.allSatisfy { $0.phase == .open })
    }

    @Test("that pass while a change is still on its way to the watchers are noticed all the same") func overtaken() async throws {
        let table = try Table()
        let pin = try await table.open(revealWhen: byClock, deadlineAt: table.clock.now.advanced(by: 10_000)).pin
        let listener = try await table.watch(pin)
        let other = try await table.open(by: 3).pin
        let slow = try await table.watch(other)
        #expect(slow.gate.wait(timeout: .now() + 5) == .success)
        _ = try await table.join(other, as: 4)
        #expect(try await eventually { slow.rooms.count == 1 })
        try await table.submit(to: pin, by: 2)
        table.clock.advance(by: 10_000)
        slow.gate.signal()
        #expect(try await eventually { listener.rooms.last?.phase == .revealed })
    }

    @Test("have the result computed once, however many look at the room meanwhile") func once() async throws {
        let table = try Table()
        let pin = try await table.open(revealWhen: byClock, deadlineAt: table.clock.now.advanced(by: 10_000)).pin
        try await table.submit(to: pin, by: 2)
        let computing = table.rooms.computeQueue
        computing.queue.suspend()
        table.clock.advance(by: 10_000)
        var looks: [Pending<Result<PublishedRoom, Failure>>] = []
        for _ in 0..<5 {
            looks.append(Pending { completion in table.rooms.read(pin, completion: completion) })
            // Each is in a batch of its own.
            await withCheckedContinuation { continuation in table.rooms.aside { continuation.resume() } }
        }
        let waiting = computing.waiting.load(ordering: .relaxed)
        computing.queue.resume()
        #expect(waiting == 1)
        for look in looks { #expect(try await look.answer.get().room.phase == .revealed) }
    }

    @Test("are tried again where the reveal cannot be written down") func failing() async throws {
        let table = try Table()
        let deadline = table.clock.now.advanced(by: 10_000)
        let pin = try await table.open(revealWhen: byClock, deadlineAt: deadline).pin
        let listener = try await table.watch(pin)
        try await table.submit(to: pin, by: 2)
        table.store.fail(.failed)
        table.clock.advance(by: 10_000)
        #expect(try await eventually { table.failures.seen == 1 })
        #expect(
            try await eventually {
                table.clock.advance(by: 10)
                return listener.rooms.last?.phase == .revealed
            })
        #expect(listener.rooms.last?.result?.revealedAt == deadline)
    }

    @Test("end every room that nobody else looks at any more") func expiry() async throws {
        let table = try Table()
        var listeners: [Listener] = []
        for host in 1...20 { listeners.append(try await table.watch(table.open(by: host).pin)) }
        table.clock.advance(by: 60_000)
        for listener in listeners { #expect(try await eventually { listener.ends == 1 }) }
    }
}

@Suite("The agenda") struct AgendaTests {
    private let now = Instant(milliseconds: 1_000_000)

    @Test("gives a room when its turn has come, and again after the pause") func turns() throws {
        var agenda = Agenda()
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 1, at: now.advanced(by: 100))
        agenda.note(Identifier("b"), pin: try pin(2), sequence: 1, at: now.advanced(by: 200))
        #expect(names(agenda.take(at: now, pause: 1000)) == [])
        #expect(names(agenda.take(at: now.advanced(by: 99), pause: 1000)) == [])
        #expect(names(agenda.take(at: now.advanced(by: 100), pause: 1000)) == ["a"])
        #expect(names(agenda.take(at: now.advanced(by: 100), pause: 1000)) == [])
        #expect(names(agenda.take(at: now.advanced(by: 1100), pause: 1000)) == ["a", "b"])
    }

    @Test("holds on to a turn that was noted of a later state of the room") func older() throws {
        var agenda = Agenda()
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 5, at: now)
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 4, at: now.advanced(by: 60_000))
        #expect(names(agenda.take(at: now, pause: 1000)) == ["a"])
    }

    @Test("lets a turn be moved both ways, and be forgotten") func moves() throws {
        var agenda = Agenda()
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 1, at: now)
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 1, at: now.advanced(by: 500))
        #expect(names(agenda.take(at: now, pause: 1000)) == [])
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 1, at: now.advanced(by: 50))
        #expect(names(agenda.take(at: now.advanced(by: 50), pause: 1000)) == ["a"])
        #expect(!agenda.isEmpty)
        agenda.forget(Identifier("a"))
        #expect(agenda.isEmpty)
        #expect(names(agenda.take(at: now.advanced(by: 5000), pause: 1000)) == [])
    }

    @Test("goes by a clock that may go back") func backwards() throws {
        var agenda = Agenda()
        agenda.note(Identifier("a"), pin: try pin(1), sequence: 1, at: now)
        #expect(names(agenda.take(at: now.advanced(by: -3_600_000), pause: 1000)) == [])
        #expect(names(agenda.take(at: now, pause: 1000)) == ["a"])
        #expect(names(agenda.take(at: Instant(milliseconds: .max), pause: 1000)) == ["a"])
    }

    private func pin(_ number: Int) throws -> PIN { try #require(PIN("00000\(number)")) }

    private func names(_ due: [(room: Identifier, pin: PIN)]) -> [String] { due.map(\.room.text).sorted() }
}
