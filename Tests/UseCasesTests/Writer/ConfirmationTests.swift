import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// A writer at a store that another server writes to as well.
@Suite("What the writer has of a room", .timeLimit(.minutes(1))) struct ConfirmationTests {
    private let here: Table
    private let there: Table

    init() throws { (here, there) = try Table.pair() }

    private func wait() { for table in [here, there] { table.clock.advance(by: 5000) } }

    /// As of when `table` shows the room while the store cannot be asked.
    private func lastKnown(_ pin: PIN, at table: Table) async throws -> Instant? {
        here.store.with { $0.cannotLoad = true }
        defer { here.store.with { $0.cannotLoad = false } }
        return try await table.published(pin).asOf
    }

    @Test("is known to have been so when it was loaded, though what it was loaded for came to nothing") func loaded() async throws {
        let pin = try await here.open().pin
        wait()
        let loaded = there.clock.now
        there.store.fail(.failed)
        await expect(.storeUnavailable) { try await there.join(pin, as: 2) }
        wait()
        #expect(try await lastKnown(pin, at: there) == loaded)
    }

    @Test("is known to have been so when it was written, and when it was found to be the same still", arguments: [true, false])
    func committed(isChanged: Bool) async throws {
        let pin = try await here.open().pin
        wait()
        let done = here.clock.now
        if isChanged {
            _ = try await here.join(pin, as: 2)
        } else {
            await expect(.refused(.notMember)) { try await here.leave(pin, as: 2) }
        }
        wait()
        #expect(try await lastKnown(pin, at: here) == done)
    }

    @Test("gives way to what was shown while it was being loaded, and nothing has to be done twice") func overtaken() async throws {
        let room = try await here.open()
        var changed = room
        _ = try changed.join(Table.token(2), nickname: nil, at: here.clock.now)
        let events = changed.takeEvents()
        let newer = PublishedRoom(changed)
        there.store.whileLoading.withLock {
            $0 = { [here, there] in
                let outcomes = try? here.store.commit([
                    RoomChange(newer, basedOn: RoomVersion(sequence: room.sequence, mark: nil), events: events, receipts: [], notice: nil)
                ]
                )
                #expect(outcomes == [.stored])
                // As somebody does who reads it.
                there.rooms.board.publish(newer)
            }
        }
        let joined = try await there.join(room.pin, as: 3).room
        #expect(joined.members.map(\.token) == [1, 2, 3].map(Table.token))
        #expect(RoomRecord(joined) == here.store[room.pin])
        // Who is too slow holds the room before the next attempt.
        #expect(there.store.held.withLock { $0.isEmpty })
        wait()
        #expect(try await lastKnown(room.pin, at: there) == there.clock.now.advanced(by: -5000))
    }
}
