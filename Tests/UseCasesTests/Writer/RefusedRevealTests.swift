import Dispatch
import MenuGame
import Testing

@testable import UseCases

@Suite("A result that somebody asks for who may not", .timeLimit(.minutes(1))) struct RefusedRevealTests {
    @Test("is not computed, though the refusal is to be the same again", arguments: [false, true]) func free(isShared: Bool) async throws {
        let table = try Table(store: FakeStore(isShared: isShared))
        let pin = try await table.open().pin
        _ = try await table.submit(to: pin, by: 2)
        // Whoever waits for a computation waits until this goes on.
        table.rooms.computeQueue.queue.suspend()
        defer { table.rooms.computeQueue.queue.resume() }
        for (caller, refusal) in [(2, Refusal.notHost), (9, .notHost)] {
            let wish = ReceiptWish(key: ReceiptKey(owner: Table.token(caller), key: "k"), request: Table.token(0))
            let failure: Failure = await withCheckedContinuation { continuation in
                table.rooms.reveal(
                    pin, by: wish.key.owner,
                    answering: Answering(
                        wish, write: { _ in [] }, give: { _ in continuation.resume(returning: .shuttingDown) },
                        failed: { continuation.resume(returning: $0) }))
            }
            #expect(failure == .refused(refusal))
        }
    }
}
