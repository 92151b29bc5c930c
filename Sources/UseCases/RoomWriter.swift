import Dispatch
import MenuGame
import Synchronization

/// The one place where rooms change.
///
/// All commands run on one serial queue in batches: take what has queued up, apply each to its room, write the batch in one durable
/// transaction, and only then publish and answer. A batch forms by itself while the one before is being synced; nothing ever waits to
/// fill one. So there is no lock around a room, no half-seen state and no lost update, and one `fsync` serves everybody.
final class RoomWriter: Sendable {
    /// A command on its way. A reference, for it goes through many hands.
    final class Job: Sendable {
        let target: Target
        /// What the command's answer is to be kept under; `nil` where it is carried out as often as it comes.
        let claim: Claim?
        /// Applies the command to its room. Pure, for it is run again on a reloaded room after a conflict; a room that refuses is
        /// unchanged.
        let apply: @Sendable (inout Room, Instant) -> Applied
        /// Told where there was no room to apply it to.
        let fail: @Sendable (Failure) -> Void
        /// Whether it is what reveals a room that is due; all else waits until that is done.
        let settles: Bool

        init(
            target: Target, claim: Claim? = nil, apply: @escaping @Sendable (inout Room, Instant) -> Applied,
            fail: @escaping @Sendable (Failure) -> Void, settles: Bool = false
        ) {
            self.target = target
            self.claim = claim
            self.apply = apply
            self.fail = fail
            self.settles = settles
        }

        enum Target: Sendable {
            case room(PIN)
            case new(Opening)
        }

        /// A room to be opened.
        struct Opening: Sendable {
            /// Who opens it.
            let opener: TokenHash
            /// Whether its PIN is to have no zero in front.
            let pinIsNumber: Bool
            /// Asked when it is known that it is no repeat, perhaps more than once. What it has granted is to be taken back where `fail` is
            /// called.
            let admit: @Sendable () -> Failure?
            let open: @Sendable (PIN, Identifier, Instant) -> Room
        }

        /// Why it need not be tried at all: who opens a room and is not admitted is to cost the store nothing. Whether it is a repeat has
        /// to be looked up first.
        var refusalAtOnce: Failure? {
            guard claim == nil, case .new(let opening) = target else { return nil }
            return opening.admit()
        }

        /// What is said when the command has been carried out, and what is to be kept of that.
        struct Applied: Sendable {
            let answer: Completion<PublishedRoom>
            var receipt: Receipt?
        }

        /// How to answer a command that was carried out before.
        struct Claim: Sendable {
            let key: ReceiptKey
            let give: @Sendable (Receipt) -> Void
        }
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isDraining = false
        var isClosed = false
    }

    private let queue = DispatchQueue(label: "hansang.room-writer")
    /// Where callers are answered, so that the next batch need not wait until the answers to this one are written.
    private let answers = DispatchQueue(label: "hansang.room-writer.answers")
    /// Where answers are kept that belong to no room, one after the other: no command waits for them.
    private let keeper = DispatchQueue(label: "hansang.room-writer.keeper")
    private let keeping = Atomic(0)
    private let inbox = Mutex(Inbox())
    private let memory = Mutex(WriterMemory())
    /// By room, who waits for its result to be computed.
    private let settling = Mutex<[Identifier: [Settlement]]>([:])
    private let store: any RoomStore
    private let loader: RoomLoader
    private let board: RoomBoard
    private let watchers: Watchers
    private let computeQueue: ComputeQueue
    private let environment: Environment
    private let settings: RoomSettings
    private let observer: RoomObserver

    init(
        store: any RoomStore, loader: RoomLoader, board: RoomBoard, watchers: Watchers, computeQueue: ComputeQueue,
        environment: Environment,
        settings: RoomSettings, observer: RoomObserver
    ) {
        self.store = store
        self.loader = loader
        self.board = board
        self.watchers = watchers
        self.computeQueue = computeQueue
        self.environment = environment
        self.settings = settings
        self.observer = observer
    }

    func add(_ job: Job) {
        let refusal: Failure? = inbox.withLock { inbox in
            if inbox.isClosed { return .shuttingDown }
            guard inbox.jobs.count < Bounds.waitingCommands else { return .storeUnavailable }
            inbox.jobs.append(job)
            if !inbox.isDraining {
                inbox.isDraining = true
                queue.async { self.drain() }
            }
            return nil
        }
        if let refusal { job.fail(refusal) }
    }

    /// Runs `work` between two batches.
    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Keeps an answer that changes no room, unless there is one under its key already, and gives what is kept. A transaction of its own.
    func keep<Answer>(_ answer: Answer, _ once: Answering<Answer>.Once, _ claim: Job.Claim) {
        guard keeping.wrappingAdd(1, ordering: .relaxed).newValue <= Bounds.waitingQuestions else {
            keeping.wrappingSubtract(1, ordering: .relaxed)
            return once.failed(.storeUnavailable)
        }
        keeper.async { [self] in
            defer { keeping.wrappingSubtract(1, ordering: .relaxed) }
            let now = environment.now()
            var question = StoreQuestion()
            question.receipts = [claim.key]
            question.owners = [claim.key.owner]
            do throws(StoreError) {
                let facts = try store.facts(question, at: now)
                if let receipt = facts.receipts[claim.key] { return answers.async { claim.give(receipt) } }
                guard facts.bytesOfOwners[claim.key.owner, default: 0] < Bounds.receiptBytesPerToken else {
                    return answers.async { once.failed(.tooManyReceipts) }
                }
                let receipt = once.wish.receipt(once.write(.success(answer)), of: nil, at: now)
                if try store.keep(receipt) { return answers.async { once.give(receipt.answer) } }
                // Another server was asked the same at this very moment.
                guard let receipt = try store.receipts([claim.key], at: now)[claim.key] else {
                    return answers.async { once.failed(.storeUnavailable) }
                }
                answers.async { claim.give(receipt) }
            } catch {
                observer.storeFailed(error)
                answers.async { once.failed(.storeUnavailable) }
            }
        }
    }

    /// Takes no more commands, carries out those that wait, then calls `completion`.
    func close(then completion: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.isClosed = true }
        awaitEmpty(completion)
    }

    private func awaitEmpty(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            if inbox.withLock({ $0.isDraining }) {
                awaitEmpty(completion)
            } else {
                keeper.async { self.answers.async(execute: completion) }
            }
        }
    }

    /// Commands that have not been taken up yet.
    var waitingCommands: Int { inbox.withLock(\.jobs.count) }

    /// Whether it takes no more commands.
    var isClosed: Bool { inbox.withLock(\.isClosed) }

    /// To be called when rooms were deleted: the live PINs want counting again, and nothing is doubted of rooms that are no more.
    func forget(_ pins: [PIN]) {
        memory.withLock { memory in
            memory.liveCounts = [:]
            memory.distrusted.subtract(pins)
        }
    }

    /// Carries out one batch, then queues up again behind whatever else waits for the queue.
    private func drain() {
        dispatchPrecondition(condition: .onQueue(queue))
        let batch = inbox.withLock { inbox in
            let batch = Array(inbox.jobs.prefix(Bounds.commandsPerBatch))
            inbox.jobs.removeFirst(batch.count)
            return batch
        }
        observer.measure(.batch(commands: batch.count))
        memory.withLock { carryOut(batch, &$0) }
        inbox.withLock { inbox in
            inbox.isDraining = !inbox.jobs.isEmpty
            if inbox.isDraining { queue.async { self.drain() } }
        }
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
