import Dispatch
import MenuGame
import TestSupport
import Testing
import UseCases

@Suite("Waiting for a change", .timeLimit(.minutes(3))) struct WaitTests {
    @Test("ends with the change, and with a room that is further already") func change() async throws {
        let table = try Table()
        let pin = try await table.open().pin
        let room = try await table.published(pin)
        let waiting = table.awaiting(room)
        let joined = try await table.join(pin, as: 2).room
        #expect(try await waiting.answer.get().room.sequence == joined.sequence)
        #expect(try await table.awaiting(room).answer.get().room.sequence == joined.sequence)
    }

    @Test("ends when the time is up, with the room as it was") func timeOut() async throws {
        let table = try Table()
        let room = try await table.published(table.open().pin)
        #expect(try await table.awaiting(room, atMost: 1).answer.get() === room)
    }

    @Test("ends when it is told to, and only once") func told() async throws {
        let table = try Table()
        let room = try await table.published(table.open().pin)
        // A second answer would resume the continuation twice, which traps.
        let answer = await withCheckedContinuation { continuation in
            let wait = table.rooms.awaitChange(of: room, after: room.room.sequence, atMost: 60) { continuation.resume(returning: $0) }
            for _ in 1...3 { wait.end() }
        }
        #expect(try answer.get() === room)
    }

    @Test("ends with the room, also where another has drawn its PIN by then") func end() async throws {
        let table = try Table(pinSpace: PINSpace(first: 1))
        let room = try await table.published(table.open().pin)
        let pin = room.room.pin
        let waiting = table.awaiting(room, after: 1000)
        // Holds back the word of the end until there is another room.
        let listener = Listener()
        listener.gate.wait()
        _ = try await table.watch(pin, with: listener)
        #expect(try await listener.hears(table.join(pin, as: 3).room.sequence))
        table.clock.advance(by: 60_000)
        #expect(await table.sweep() == 1)
        #expect(try await table.open(by: 2).pin == pin)
        listener.gate.signal()
        await expect(.roomNotFound) { try await waiting.answer.get() }
    }
}

extension Table {
    fileprivate func awaiting(
        _ room: PublishedRoom, after sequence: Int? = nil, atMost seconds: Int = 60
    ) -> Pending<Result<PublishedRoom, Failure>> {
        Pending { _ = rooms.awaitChange(of: room, after: sequence ?? room.room.sequence, atMost: seconds, completion: $0) }
    }
}
