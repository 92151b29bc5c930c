import Dispatch
import MenuGame
import Synchronization

/// The one place where rooms change.
///
/// All commands run on one serial queue in batches: take what has queued up, apply each to its room, write the batch in one durable
/// transaction, and only then publish and answer. A batch forms by itself while the one before is being synced; nothing ever waits to
/// fill one. So there is no lock around a room, no half-seen state and no lost update, and one `fsync` serves everybody.
final class RoomWriter: Sendable {
    let jobs = BatchQueue<Job>("hansang.room-writer", capacity: Bounds.waitingCommands, batchSize: Bounds.commandsPerBatch)
    /// Where callers are answered, so that the next batch need not wait until the answers to this one are written.
    let answers = DispatchQueue(label: "hansang.room-writer.answers")
    /// Keeps what is answered beside the commands.
    let keeper: ReceiptKeeper
    private let memory = Mutex(WriterMemory())
    /// By room, who waits for its result to be computed.
    let settling = Mutex<[Identifier: [Settlement]]>([:])
    private let store: any RoomStore
    private let loader: RoomLoader
    private let board: RoomBoard
    private let watchers: Watchers
    let computeQueue: BoundedQueue
    private let environment: Environment
    private let settings: RoomSettings
    private let observer: RoomObserver

    init(
        store: any RoomStore, loader: RoomLoader, board: RoomBoard, watchers: Watchers, computeQueue: BoundedQueue,
        environment: Environment,
        settings: RoomSettings, observer: RoomObserver
    ) {
        keeper = ReceiptKeeper(store: store, environment: environment, observer: observer, answers: answers)
        self.store = store
        self.loader = loader
        self.board = board
        self.watchers = watchers
        self.computeQueue = computeQueue
        self.environment = environment
        self.settings = settings
        self.observer = observer
    }

    // Not inlined: actions are generic, and are made for the types of other modules there, as long as they hold no more of the writer than
    // this call.
    @inline(never)
    func add(_ job: Job) {
        guard !jobs.add(job, work: { self.carryOut($0) }) else { return }
        job.fail(isClosed ? .shuttingDown : .storeUnavailable)
    }

    /// Adds what had been let in before, so that no bound stands in its way.
    ///
    /// - Parameter parked: how many wait no longer for their rooms to be revealed.
    func add(again jobs: [Job], unparking parked: Int = 0) {
        guard !self.jobs.add(again: jobs, unparking: parked, work: { self.carryOut($0) }) else { return }
        for job in jobs { job.fail(.shuttingDown) }
    }

    /// Runs `work` between two batches.
    func perform(_ work: @escaping @Sendable () -> Void) { jobs.perform(work) }

    /// Takes no more commands, carries out those that wait, then calls `completion`.
    func close(then completion: @escaping @Sendable () -> Void) {
        jobs.close { self.keeper.finish(completion) }
    }

    /// Commands that have not been taken up yet, and those that wait until their rooms are revealed.
    var waitingCommands: Int { jobs.count }

    /// Whether it takes no more commands.
    var isClosed: Bool { jobs.isClosed }

    /// To be called when rooms were deleted: the live PINs want counting again, and nothing is doubted of rooms that are no more.
    func forget(_ pins: [PIN]) {
        memory.withLock { memory in
            memory.liveCounts = [:]
            memory.distrusted.subtract(pins)
        }
    }

    private func carryOut(_ batch: [Job]) {
        observer.measure(.batch(commands: batch.count))
        memory.withLock { carryOut(batch, &$0) }
    }

    private func carryOut(_ jobs: [Job], _ memory: inout WriterMemory) {
        var todo = jobs
        /// Rooms that others have changed first.
        var contested: [Identifier] = []
        for _ in 0..<Bounds.attempts {
            if !contested.isEmpty, !hold(contested) { break }
            var batch = WriterBatch(
                store: store, loader: loader, board: board, watchers: watchers, environment: environment, settings: settings,
                observer: observer)
            batch.apply(todo, &memory)
            todo = batch.commit(&memory)
            if !contested.isEmpty { store.release() }
            contested = batch.contested
            self.answers.async { [answers = batch.answers] in for answer in answers { answer.give() } }
            for settlement in batch.settlements { settle(settlement) }
            if todo.isEmpty { return }
        }
        answers.async { [todo] in for job in todo { job.fail(.storeUnavailable) } }
    }

    /// Whoever was too slow once is not again, however many servers want the same room.
    private func hold(_ rooms: [Identifier]) -> Bool {
        do throws(StoreError) {
            try store.hold(rooms)
            return true
        } catch {
            observer.storeFailed(error)
            return false
        }
    }
}
