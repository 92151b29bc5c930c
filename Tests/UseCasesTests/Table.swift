import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

/// Everything that a group plays with in a test: rooms over a fake store, a clock that is turned by hand, a small catalogue.
struct Table: Sendable {
    let store: FakeStore
    let clock = Clock()
    let rooms: Rooms
    let failures = Failures()

    final class Clock: Sendable {
        private let milliseconds = Mutex<Int64>(1_790_000_000_000)

        var now: Instant { milliseconds.withLock { Instant(milliseconds: $0) } }

        func advance(by step: Int64) { milliseconds.withLock { $0 += step } }
    }

    final class Failures: Sendable {
        private let count = Atomic(0)

        var seen: Int { count.load(ordering: .relaxed) }

        func add() { count.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Two servers at one store.
    static func pair() throws -> (Table, Table) {
        let store = FakeStore(isShared: true)
        return (try Table(store: store), try Table(store: store.neighbour()))
    }

    init(
        store: FakeStore = FakeStore(), pinSpace: PINSpace = PINSpace(digits: 6), pinSpaceGrows: Bool = true, lifetime: Int64 = 60_000,
        capacity: Int = 1000, roomsPerToken: Int = 1000,
        writesNotices: Bool = false, noticeWritten: @escaping @Sendable () -> Void = {},
        neighbourChanged: @escaping @Sendable () -> Void = {}
    ) throws {
        self.store = store
        let (clock, failures) = (clock, failures)
        var settings = RoomSettings()
        settings.pinSpace = pinSpace
        settings.pinSpaceGrows = pinSpaceGrows
        settings.lifetime = lifetime
        settings.roomsPerToken = roomsPerToken
        settings.writesNotices = writesNotices
        var observer = RoomObserver()
        observer.storeFailed = { _ in failures.add() }
        observer.noticeWritten = noticeWritten
        observer.neighbourChanged = neighbourChanged
        let catalogue = try Self.catalogue()
        let library = try CatalogueLibrary(current: catalogue, bytes: [1], store: store) { _, _ throws(StoreError) in
            throw StoreError("there is only one")
        }
        rooms = Rooms(
            environment: Environment(now: { clock.now }, random: { UInt64.random(in: 0...UInt64.max) }), settings: settings,
            observer: observer,
            library: library, store: store, capacity: capacity)
    }

    static func catalogue() throws(CatalogueFaults) -> Catalogue {
        func text(_ text: String) -> Localized { Localized(ko: text, en: text) }
        var draft = CatalogueDraft()
        draft.fingerprint = "sample"
        draft.traits = [("soup", text("국물"), text("국물 없음"))]
        draft.vetoes = [("seafood", text("해산물"), text("새우"))]
        draft.cuisines = [("korean", text("한식"))]
        draft.cards = [("soup", text("국물?"), .trait("soup")), ("cuisine", text("어디?"), .cuisines)]
        draft.menus = (0..<5).map { number in
            CatalogueDraft.Menu(
                id: "menu-\(number)", name: text("메뉴 \(number)"), emoji: "🍜", search: "메뉴", traits: [("soup", number - 2)],
                cuisines: ["korean"], contains: [])
        }
        return try Catalogue(draft, for: .rule)
    }

    static func token(_ number: Int) -> TokenHash { TokenHash.beginning((0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }) }

    static let soup = AnswerDraft(answers: [("soup", .word("like"))])
}

// The actions as async functions, the host being token 1.
extension Table {
    func open(
        by host: Int = 1, revealWhen: RevealPolicy = RevealPolicy(), deadlineAt: Instant? = nil
    ) async throws -> Room {
        try await result {
            rooms.open(
                by: Self.token(host), nickname: nil, revealWhen: revealWhen, deadlineAt: deadlineAt,
                answering: Answering(completion: $0))
        }.get().room
    }

    func read(_ pin: PIN) async throws -> Room { try await result { rooms.read(pin, completion: $0) }.get().room }

    func join(_ pin: PIN, as token: Int, nickname: Nickname?? = nil) async throws -> (isNew: Bool, room: Room) {
        let answer = try await result { rooms.join(pin, as: Self.token(token), nickname: nickname, completion: $0) }.get()
        return (answer.isNew, answer.room.room)
    }

    func leave(_ pin: PIN, as token: Int) async throws -> Room {
        try await result { rooms.leave(pin, as: Self.token(token), completion: $0) }.get().room
    }

    @discardableResult
    func submit(_ answers: AnswerDraft = soup, to pin: PIN, by token: Int) async throws -> Submitted {
        try await withCheckedContinuation { continuation in
            rooms.submit(
                to: pin, by: Self.token(token), reading: { catalogue throws(AnswerFaults) in try AnswerSheet(answers, in: catalogue) }
            ) {
                continuation.resume(returning: $0)
            }
        }.get()
    }

    func withdraw(from pin: PIN, by token: Int) async throws -> Room {
        try await result { completion in
            rooms.withdraw(from: pin, by: Self.token(token)) { result in
                completion(
                    result.mapError { failure in
                        guard case .failed(let failure) = failure else { preconditionFailure("there was no condition") }
                        return failure
                    })
            }
        }.get().room
    }

    func reveal(_ pin: PIN, by token: Int = 1) async throws -> RoundResult {
        try await result { rooms.reveal(pin, by: Self.token(token), answering: Answering(completion: $0)) }.get()
    }

    func beginRound(in pin: PIN, by token: Int = 1, deadlineAt: Instant?? = nil) async throws -> Room {
        try await result {
            rooms.beginRound(in: pin, by: Self.token(token), deadlineAt: deadlineAt, answering: Answering(completion: $0))
        }.get().room
    }

    func close(_ pin: PIN, by token: Int = 1) async throws {
        try await result { rooms.close(pin, by: Self.token(token), completion: $0) }.get()
    }

    func sweep() async -> Int {
        await withCheckedContinuation { continuation in rooms.sweep { continuation.resume(returning: $0) } }
    }

    private func result<Answer: Sendable>(_ start: (@escaping Completion<Answer>) -> Void) async -> Result<Answer, Failure> {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
    }
}

/// An action that is on its way: started, on the caller's thread, as soon as this was made.
struct Pending<Answer: Sendable>: Sendable {
    private let answers: AsyncStream<Answer>

    init(_ start: (@escaping @Sendable (Answer) -> Void) -> Void) {
        answers = AsyncStream { continuation in
            start { answer in
                continuation.yield(answer)
                continuation.finish()
            }
        }
    }

    var answer: Answer {
        get async throws {
            for await answer in answers { return answer }
            throw CancellationError()
        }
    }
}

extension Table {
    func submitting(to pin: PIN, by token: Int) -> Pending<Result<Submitted, SubmitFailure<AnswerFaults>>> {
        Pending { completion in
            rooms.submit(
                to: pin, by: Self.token(token), reading: { catalogue throws(AnswerFaults) in try AnswerSheet(Self.soup, in: catalogue) },
                completion: completion)
        }
    }

    func joining(_ pin: PIN, as token: Int) -> Pending<Result<(isNew: Bool, room: PublishedRoom), Failure>> {
        Pending { rooms.join(pin, as: Self.token(token), nickname: nil, completion: $0) }
    }
}

/// Whether an action that had to fail failed for this reason.
func expect(_ failure: Failure, _ body: () async throws -> some Any, sourceLocation: SourceLocation = #_sourceLocation) async {
    do {
        _ = try await body()
        Issue.record("it succeeded", sourceLocation: sourceLocation)
    } catch let error as Failure {
        #expect(error == failure, sourceLocation: sourceLocation)
    } catch SubmitFailure<AnswerFaults>.failed(let error) {
        #expect(error == failure, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
