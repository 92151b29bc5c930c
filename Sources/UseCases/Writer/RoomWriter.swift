import Dispatch
import MenuGame
import Synchronization

/// The one place where rooms change.
///
/// All commands run on one serial queue in batches: take what has queued up, apply each to its room, write the batch in one durable
/// transaction, and only then publish and answer. A batch forms by itself while the one before is being synced; nothing ever waits to
/// fill one. So there is no lock around a room, no half-seen state and no lost update, and one `fsync` serves everybody.
final class RoomWriter: Sendable {
    private let jobs = BatchQueue<Job>("hansang.room-writer", capacity: Bounds.waitingCommands, batchSize: Bounds.commandsPerBatch)
    /// Where callers are answered, so that the next batch need not wait until the answers to this one are written.
    private let answers = DispatchQueue(label: "hansang.room-writer.answers")
    /// Keeps what is answered beside the commands.
    let keeper: ReceiptKeeper
    private let memory = Mutex(WriterMemory())
    /// By room, who waits for its result to be computed.
    private let settling = Mutex<[Identifier: [Settlement]]>([:])
    private let store: any RoomStore
    private let loader: RoomLoader
    private let board: RoomBoard
    private let watchers: Watchers
    private let computeQueue: BoundedQueue
    private let environment: Environment
    private let settings: RoomSettings
    private let observer: RoomObserver

    init(
        store: any RoomStore, loader: RoomLoader, board: RoomBoard, watchers: Watchers, computeQueue: BoundedQueue,
        environment: Environment,
        settings: RoomSettings, observer: RoomObserver
    ) {
        keeper = ReceiptKeeper(store: store, environment: environment, settings: settings, observer: observer, answers: answers)
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

    /// Runs `work` between two batches.
    func perform(_ work: @escaping @Sendable () -> Void) { jobs.perform(work) }

    /// Takes no more commands, carries out those that wait, then calls `completion`.
    func close(then completion: @escaping @Sendable () -> Void) {
        jobs.close { self.keeper.finish(completion) }
    }

    /// Commands that have not been taken up yet.
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
            let answers = batch.takeAnswers()
            self.answers.async { for answer in answers { answer.give() } }
            for settlement in batch.takeSettlements() { settle(settlement) }
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

extension RoomWriter {
    /// Reveals a room that is due. The result is computed aside, and everybody who has to do with the room waits for it; nobody else does.
    /// Who comes while it is being computed waits for the same.
    private func settle(_ settlement: Settlement) {
        let room = settlement.published.room
        let isUnderWay = settling.withLock { settling in
            defer { settling[room.id, default: []].append(settlement) }
            return settling[room.id] != nil
        }
        guard !isUnderWay else { return }
        let isAccepted = computeQueue.submit { [self] in
            let recommendation = room.recommendation()
            let settlements = takeSettlements(of: room.id)
            add(
                Job(
                    target: .room(room.pin),
                    apply: { current, now in
                        let isBasis = current.id == room.id && current.submissionsSequence == room.submissionsSequence
                        if isBasis, let dueAt = current.dueAt, dueAt <= now { _ = try? current.reveal(recommendation, at: dueAt) }
                        return Job.Applied(answer: { result in self.resume(settlements, result) })
                    },
                    fail: { self.resume(settlements, .failure($0)) },
                    settles: true))
        }
        guard !isAccepted else { return }
        let settlements = takeSettlements(of: room.id)
        answers.async { self.resume(settlements, .failure(.storeUnavailable)) }
    }

    private func takeSettlements(of room: Identifier) -> [Settlement] { settling.withLock { $0.removeValue(forKey: room) ?? [] } }

    private func resume(_ settlements: [Settlement], _ result: Result<PublishedRoom, Failure>) {
        for settlement in settlements {
            switch result {
            case .success:
                for answer in settlement.answers { answer(result) }
                for job in settlement.waiting { add(job) }
            case .failure(let failure):
                // What those did is durable, though the room is not revealed yet.
                for answer in settlement.answers { answer(.success(settlement.published)) }
                for job in settlement.waiting { job.fail(failure) }
            }
        }
    }
}
