import Dispatch
public import MenuGame

/// All that can be done with rooms. Commands go through the one writer, queries look at the board; each action has a file of its own.
///
/// Every completion is called exactly once: on the caller's own thread where the answer is at hand or the command is turned away, else on a
/// queue of this module, which it must not block. Any action may fail with `storeUnavailable`, any command with `shuttingDown`, and what
/// concerns a room with `roomNotFound`; which `Refusal`s there are is said at each.
public final class Rooms: Sendable {
    let environment: Environment
    let settings: RoomSettings
    let observer: RoomObserver
    let library: CatalogueLibrary
    let store: any RoomStore
    let board: RoomBoard
    let loader: RoomLoader
    let writer: RoomWriter
    let computeQueue: BoundedQueue
    let watchers: Watchers
    private let remoteChanges: RemoteChanges
    private let readiness = Readiness()
    private let upkeep = DispatchQueue(label: "hansang.upkeep")

    /// - Parameter capacity: members whose rooms are kept in memory; a room by itself counts for ten, and there may be twice as many.
    public init(
        environment: Environment, settings: RoomSettings = RoomSettings(), observer: RoomObserver = RoomObserver(),
        library: CatalogueLibrary,
        store: any RoomStore, capacity: Int = Bounds.membersInMemory
    ) {
        self.environment = environment
        self.settings = settings
        self.observer = observer
        self.library = library
        self.store = store
        board = RoomBoard(capacity: capacity)
        let deadlines = Deadlines(environment)
        watchers = Watchers(deadlines: deadlines, environment: environment)
        loader = RoomLoader(
            store: store, library: library, board: board, watchers: watchers, environment: environment, observer: observer)
        // So that a large group's reveal delays nobody else.
        computeQueue = BoundedQueue("hansang.compute", attributes: .concurrent, capacity: Bounds.waitingComputations)
        writer = RoomWriter(
            store: store, loader: loader, board: board, watchers: watchers, computeQueue: computeQueue, environment: environment,
            settings: settings, observer: observer)
        remoteChanges = RemoteChanges(store: store, loader: loader, board: board, watchers: watchers, observer: observer)
        deadlines.start { [weak self] room, pin in self?.look(at: room, pin) }
        if store.isShared { remoteChanges.start() }
    }

    /// Milliseconds that a new room lives.
    public var lifetime: Int64 { settings.lifetime }

    /// Commands that wait for the writer, or until their rooms are revealed.
    public var waitingCommands: Int { writer.waitingCommands }

    /// The wall clock that the rooms go by.
    public func now() -> Instant { environment.now() }

    /// Whether the store takes writes, as found within the last second. One that leaves it open for longer does not.
    public func isReady(_ completion: @escaping @Sendable (Bool) -> Void) {
        readiness.ask({ [self] found in aside { [store] in found(store.isWritable()) } }, completion)
    }

    /// Runs what belongs to no command: between two batches of the writer, so that they take turns at the one file; where the store is
    /// somewhere else and may be long in answering, beside them.
    func aside(_ work: @escaping @Sendable () -> Void) {
        if store.isShared { upkeep.async(execute: work) } else { writer.perform(work) }
    }

    /// Takes no more commands, finishes those that wait, then calls `completion`. Reads go on.
    public func close(then completion: @escaping @Sendable () -> Void) {
        writer.close { [upkeep] in upkeep.async(execute: completion) }
    }

    /// Applies `body` to a room, durably, and answers with what it returned and the room as committed.
    func change<Answer: Sendable>(
        _ pin: PIN, _ completion: @escaping Completion<(Answer, PublishedRoom)>,
        _ body: @escaping @Sendable (inout Room, Instant) throws(Refusal) -> Answer
    ) {
        change(pin, Answering(completion: completion), body)
    }

    /// The same for a command that may have to be answered again.
    ///
    /// - Parameters:
    ///   - stop: called in place of an answer where `body` has none, since it was not given the room that it is meant for.
    func change<Answer: Sendable>(
        _ pin: PIN, _ answering: Answering<(Answer, PublishedRoom)>, orElse stop: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (inout Room, Instant) throws(Refusal) -> Answer?
    ) {
        writer.add(
            RoomWriter.Job(
                target: .room(pin), claim: answering.claim,
                apply: { room, now in
                    let result: Result<Answer, Refusal>
                    do throws(Refusal) {
                        guard let answer = try body(&room, now) else {
                            return RoomWriter.Job.Applied { result in
                                if case .failure(let failure) = result { answering.fail(failure) } else { stop() }
                            }
                        }
                        result = .success(answer)
                    } catch {
                        result = .failure(error)
                    }
                    return answering.applied(result, to: room, at: now) { ($0, $1) }
                },
                fail: answering.fail))
    }
}
