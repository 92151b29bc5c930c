import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

@Suite("Those who wait until a room is revealed", .timeLimit(.minutes(2))) struct SettlementTests {
    @Test("are among the commands of which no more may wait: the newest are refused at once, and no other suffers") func bounded()
        async throws
    {
        let table = try Table()
        let policy = RevealPolicy(host: false, deadline: true)
        let pin = try await table.open(revealWhen: policy, deadlineAt: table.clock.now.advanced(by: 10_000)).pin
        try await table.submit(to: pin, by: 2)
        let other = try await table.open(by: 9).pin
        let computing = table.rooms.computeQueue.queue
        computing.suspend()
        table.clock.advance(by: 10_000)

        // Each of these crowds is taken up by the writer before the next comes.
        let (crowds, size) = (16, Bounds.commandsPerBatch)
        let counts = Mutex((taken: 0, refused: 0))
        for _ in 0..<crowds {
            for number in 0..<size {
                table.rooms.join(pin, as: Table.token(2 + number % 300), nickname: nil) { result in
                    counts.withLock { counts in
                        if case .success = result { counts.taken += 1 } else { counts.refused += 1 }
                    }
                }
            }
            for _ in 0..<3 { await withCheckedContinuation { continuation in table.rooms.aside { continuation.resume() } } }
        }
        let (taken, refused) = counts.withLock { $0 }
        #expect(taken == 0)
        let waiting = crowds * size - refused
        #expect((Bounds.waitingCommands...Bounds.waitingCommands + size).contains(waiting))
        #expect(table.rooms.waitingCommands == waiting)
        await expect(.storeUnavailable) { try await table.join(other, as: 2) }

        computing.resume()
        #expect(try await eventually { counts.withLock { $0.taken + $0.refused } == crowds * size })
        #expect(counts.withLock(\.taken) == waiting)
        #expect(table.rooms.waitingCommands == 0)
        #expect(try await table.read(pin).result?.outcome.playerCount == 1)
        #expect(try await table.join(other, as: 2).isNew)
    }
}
