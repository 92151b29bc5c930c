import Dispatch
import MenuGame
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Whether somebody may ask is looked at when they do and again by the writer, and the room may be another by then.
@Suite("A reveal by somebody whose part changes meanwhile", .timeLimit(.minutes(1))) struct RevealPermissionTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var isShared = false
        /// Whether it is to be answered the same again.
        var isOnce = false

        var testDescription: String { "\(isShared ? "many servers" : "one server"), \(isOnce ? "once" : "each time")" }

        static let all = [Way(), Way(isOnce: true), Way(isShared: true), Way(isShared: true, isOnce: true)]
    }

    private struct Game {
        let table: Table
        let pin: PIN

        /// Gets the sequence of the result.
        func revealing(by token: Int, _ way: Way) -> Pending<Result<String, Failure>> {
            Pending { completion in
                let wish = ReceiptWish(key: ReceiptKey(owner: Table.token(token), key: "k"), request: Table.token(0))
                let answering =
                    way.isOnce
                    ? Answering<RoundResult>(
                        wish, write: { Array("\((try? $0.get().sequence) ?? 0)".utf8) },
                        give: { completion(.success(String(decoding: $0, as: UTF8.self))) }, failed: { completion(.failure($0)) })
                    : Answering { completion($0.map { "\($0.sequence)" }) }
                table.rooms.reveal(pin, by: Table.token(token), answering: answering)
            }
        }

        func handingOver() -> Pending<Result<PublishedRoom, Failure>> {
            Pending { table.rooms.handOver(pin, to: MemberID(number: 2), by: Table.token(1), completion: $0) }
        }

        /// Has the writer busy until the gate is open, so that what comes meanwhile is one batch.
        func hold() async throws -> Pending<Result<(isNew: Bool, room: PublishedRoom), Failure>> {
            try #require(table.store.gate.wait(timeout: .now() + 5) == .success)
            let begun = table.store.with(\.begun)
            let blocker = table.joining(pin, as: 9)
            #expect(try await eventually { table.store.with(\.begun) > begun })
            return blocker
        }

        /// Lets the writer go on when so many commands wait for it.
        func release(once count: Int) async throws {
            defer { table.store.gate.signal() }
            #expect(try await eventually { table.rooms.waitingCommands == count })
        }

        /// Runs `body` while the result is asked for, computed and not yet written.
        func meanwhile(_ body: () async throws -> Void) async throws {
            let computing = table.rooms.computeQueue
            defer { computing.queue.resume() }
            #expect(try await eventually { computing.waiting.load(ordering: .relaxed) == 1 })
            try await body()
        }

        var results: [RoundResult]? { table.store[pin]?.results }
    }

    /// A room in which member 2 has answered, and member 1 is the host.
    private func game(_ way: Way, revealWhen: RevealPolicy = RevealPolicy()) async throws -> Game {
        let table = try Table(store: FakeStore(isShared: way.isShared))
        let pin = try await table.open(revealWhen: revealWhen).pin
        try await table.submit(to: pin, by: 2)
        return Game(table: table, pin: pin)
    }

    @Test("is done where a command before it in the same batch has made them the host", arguments: Way.all.dropFirst())
    func madeHost(way: Way) async throws {
        let game = try await game(way)
        _ = try await game.hold()
        let handing = game.handingOver()
        let reveal = game.revealing(by: 2, way)
        try await game.release(once: 2)
        #expect(try await handing.answer.get().room.host == MemberID(number: 2))
        #expect(try await reveal.answer.get() == game.results.map { "\($0[0].sequence)" })
        #expect(game.results?.map(\.outcome.playerCount) == [1])
    }

    @Test("is done where a command before it in the same batch has let them in", arguments: Way.all.dropFirst())
    func letIn(way: Way) async throws {
        let game = try await game(way, revealWhen: RevealPolicy(host: false, anyMember: true))
        _ = try await game.hold()
        let joining = game.table.joining(game.pin, as: 3)
        let reveal = game.revealing(by: 3, way)
        try await game.release(once: 2)
        #expect(try await joining.answer.get().isNew)
        #expect(try await reveal.answer.get() == game.results.map { "\($0[0].sequence)" })
    }

    @Test("is not done where that command has come to nothing", arguments: Way.all.dropFirst()) func madeHostInVain(way: Way) async throws {
        let game = try await game(way)
        let blocker = try await game.hold()
        game.table.store.with { $0.faults = [.failed, .failed] }
        let handing = game.handingOver()
        let reveal = game.revealing(by: 2, way)
        try await game.release(once: 2)
        await expect(.storeUnavailable) { try await blocker.answer.get() }
        await expect(.storeUnavailable) { try await handing.answer.get() }
        await expect(.storeUnavailable) { try await reveal.answer.get() }
        #expect(game.results == [])
    }

    @Test("is refused at once where nobody but the one server could have made them the host, and it has not yet") func tooEarly()
        async throws
    {
        let game = try await game(Way())
        _ = try await game.hold()
        let handing = game.handingOver()
        let reveal = game.revealing(by: 2, Way())
        await expect(.refused(.notHost)) { try await reveal.answer.get() }
        try await game.release(once: 1)
        #expect(try await handing.answer.get().room.host == MemberID(number: 2))
        _ = try await game.revealing(by: 2, Way()).answer.get()
    }

    @Test("is refused where they are the host no more when it comes to be written", arguments: Way.all) func formerHost(way: Way)
        async throws
    {
        let game = try await game(way)
        game.table.rooms.computeQueue.queue.suspend()
        let reveal = game.revealing(by: 1, way)
        try await game.meanwhile { _ = try await game.handingOver().answer.get() }
        await expect(.refused(.notHost)) { try await reveal.answer.get() }
        #expect(game.results == [])
        // And that is no answer to be given again.
        #expect(game.table.store.with(\.receipts.isEmpty))
        _ = try await game.revealing(by: 2, way).answer.get()
    }

    @Test("is refused where they are in the room no more when it comes to be written", arguments: Way.all)
    func formerMember(way: Way) async throws {
        let game = try await game(way, revealWhen: RevealPolicy(host: false, anyMember: true))
        _ = try await game.table.join(game.pin, as: 3)
        game.table.rooms.computeQueue.queue.suspend()
        let reveal = game.revealing(by: 3, way)
        try await game.meanwhile { _ = try await game.table.leave(game.pin, as: 3) }
        await expect(.refused(.notMember)) { try await reveal.answer.get() }
        #expect(game.results == [])
    }
}
