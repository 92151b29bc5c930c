import MenuGame

/// One batch of commands on the writer's queue: the rooms they touch as they are to be, and whom to answer.
struct WriterBatch {
    /// A room as it is to be, and what was done to make it so.
    final class Working {
        var room: Room
        let basedOn: RoomVersion?
        /// Commands that have been applied.
        var done: [Done] = []
        var receipts: [Receipt] = []
        /// Commands that have to wait until the room is revealed.
        var waiting: [RoomWriter.Job] = []

        struct Done {
            let job: RoomWriter.Job
            let answer: Completion<PublishedRoom>
        }

        init(_ room: Room, basedOn: RoomVersion?) {
            self.room = room
            self.basedOn = basedOn
        }

        /// The room as it is to be shown where nothing is written.
        var unchanged: PublishedRoom { PublishedRoom(room, mark: basedOn?.mark) }
    }

    /// Something that a caller is told once the batch is through.
    enum Answer: Sendable {
        case done(Completion<PublishedRoom>, Result<PublishedRoom, Failure>)
        case failed(RoomWriter.Job, Failure)
        case kept(RoomWriter.Job.Claim, Receipt)

        func give() {
            switch self {
            case .done(let answer, let result): answer(result)
            case .failed(let job, let failure): job.fail(failure)
            case .kept(let claim, let receipt): claim.give(receipt)
            }
        }
    }

    let store: any RoomStore
    let loader: RoomLoader
    let board: RoomBoard
    let watchers: Watchers
    let environment: Environment
    let settings: RoomSettings
    let observer: RoomObserver
    let now: Instant
    /// In the order in which they were first touched.
    private(set) var order: [Working] = []
    private(set) var rooms: [PIN: Working] = [:]
    /// How many rooms of this batch somebody has opened.
    private(set) var opened: [TokenHash: Int] = [:]
    /// The receipts of this batch, by key, and the rooms with which they are written.
    private(set) var claimed: [ReceiptKey: (receipt: Receipt, working: Working)] = [:]
    /// Bytes that they take, by owner.
    private(set) var claimedBytes: [TokenHash: Int] = [:]
    /// What the store was asked for before the commands are applied; `nil` where it did not answer.
    var facts: StoreFacts? = StoreFacts()
    /// Rooms that were loaded for this batch, by PIN, or why not.
    var loaded: [PIN: Result<PublishedRoom, Failure>] = [:]
    /// Free PINs for rooms that are to be opened: those that are the same as numbers, and any.
    var freeNumbers: ArraySlice<PIN> = []
    var freePINs: ArraySlice<PIN> = []
    /// Rooms that others changed first.
    var contested: [Identifier] = []
    /// What there is to tell the callers, in the order in which it became true.
    var answers: [Answer] = []
    /// Rooms that are due, to be revealed before their callers are answered.
    var settlements: [Settlement] = []

    init(
        store: any RoomStore, loader: RoomLoader, board: RoomBoard, watchers: Watchers, environment: Environment, settings: RoomSettings,
        observer: RoomObserver
    ) {
        self.store = store
        self.loader = loader
        self.board = board
        self.watchers = watchers
        self.environment = environment
        self.settings = settings
        self.observer = observer
        now = environment.now()
    }

    /// Applies commands in their order, once all that they need of the store has been asked for.
    mutating func apply(_ jobs: [RoomWriter.Job], _ memory: inout WriterMemory) {
        let admitted = jobs.filter { job in
            guard let failure = job.refusalAtOnce else { return true }
            answers.append(.failed(job, failure))
            return false
        }
        rooms.reserveCapacity(admitted.count)
        order.reserveCapacity(admitted.count)
        prepare(for: admitted, &memory)
        for job in admitted { apply(job, &memory) }
    }

    private mutating func apply(_ job: RoomWriter.Job, _ memory: inout WriterMemory) {
        do throws(Failure) {
            if let claim = job.claim, try isAnswered(job, claim) { return }
            let working = try room(for: job.target, &memory)
            if working.room.isClosed { return refuseOnceClosed(job, working) }
            if job.claim != nil { try limitReceipts(of: working) }
            // A deadline that has passed, or enough submissions, reveal a room before anything else is done to it.
            if working.room.isDue(at: now), !job.settles { return working.waiting.append(job) }
            let applied = job.apply(&working.room, now)
            working.done.append(Working.Done(job: job, answer: applied.answer))
            guard let receipt = applied.receipt else { return }
            working.receipts.append(receipt)
            claimed[receipt.key] = (receipt, working)
            claimedBytes[receipt.key.owner, default: 0] += receipt.size
        } catch {
            answers.append(.failed(job, error))
        }
    }

    /// Another command of the same batch closes the room: that there is none is so only when that is committed.
    private func refuseOnceClosed(_ job: RoomWriter.Job, _ working: Working) {
        let answer: Completion<PublishedRoom> = { result in
            switch result {
            case .success: job.fail(.roomNotFound)
            case .failure(let failure): job.fail(failure)
            }
        }
        working.done.append(Working.Done(job: job, answer: answer))
    }

    /// Whether there is an answer already; it is then given, and if it is to be written with this batch, when that is done.
    private mutating func isAnswered(_ job: RoomWriter.Job, _ claim: RoomWriter.Job.Claim) throws(Failure) -> Bool {
        if let (receipt, working) = claimed[claim.key] {
            let answer: Completion<PublishedRoom> = { result in
                switch result {
                case .success: claim.give(receipt)
                case .failure(let failure): job.fail(failure)
                }
            }
            working.done.append(Working.Done(job: job, answer: answer))
            return true
        }
        if let receipt = try known().receipts[claim.key] {
            answers.append(.kept(claim, receipt))
            return true
        }
        try limitReceipts(of: claim.key.owner)
        return false
    }

    private mutating func room(for target: RoomWriter.Job.Target, _ memory: inout WriterMemory) throws(Failure) -> Working {
        switch target {
        case .room(let pin):
            if let working = rooms[pin] { return working }
            let current = try current(pin)
            return add(Working(current.room, basedOn: current.version))
        case .new(let opening):
            if let failure = opening.admit() { throw failure }
            try limitRooms(of: opening.opener)
            let pin = try takePIN(asNumber: opening.pinIsNumber)
            opened[opening.opener, default: 0] += 1
            return add(Working(opening.open(pin, Identifier("r_" + environment.newID()), now), basedOn: nil))
        }
    }

    private mutating func add(_ working: Working) -> Working {
        rooms[working.room.pin] = working
        order.append(working)
        return working
    }
}
