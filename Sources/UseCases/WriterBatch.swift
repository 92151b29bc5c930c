import MenuGame

/// One batch of commands on the writer's queue: the rooms they touch as they are to be, and whom to answer.
final class WriterBatch {
    private final class Working {
        var room: Room
        let basedOn: Int?
        var jobs: [(job: RoomWriter.Job, answer: Completion<PublishedRoom>)] = []

        init(_ room: Room, basedOn: Int?) {
            self.room = room
            self.basedOn = basedOn
        }
    }

    private let store: any RoomStore
    private let loader: RoomLoader
    private let board: RoomBoard
    private let environment: Environment
    private let now: Instant
    private var rooms: [PIN: Working] = [:]
    /// In the order in which they were first touched.
    private var order: [Working] = []
    private var answers: [@Sendable () -> Void] = []

    init(store: any RoomStore, loader: RoomLoader, board: RoomBoard, environment: Environment) {
        self.store = store
        self.loader = loader
        self.board = board
        self.environment = environment
        now = environment.now()
    }

    func apply(_ job: RoomWriter.Job, _ memory: inout WriterMemory) {
        do throws(Failure) {
            let working = try room(for: job.target, &memory)
            settle(working)
            let answer = job.apply(&working.room, now)
            settle(working)
            working.jobs.append((job, answer))
        } catch {
            answers.append { [fail = job.fail] in fail(error) }
        }
    }

    /// What there is to tell the callers, in the order in which it became true.
    func takeAnswers() -> [@Sendable () -> Void] {
        defer { answers = [] }
        return answers
    }

    /// Writes everything down, publishes it and answers.
    ///
    /// - Returns: commands to be applied again, since their rooms were changed by somebody else.
    func commit(_ memory: inout WriterMemory) -> [RoomWriter.Job] {
        var changed: [Working] = []
        var changes: [RoomChange] = []
        for working in order {
            let events = working.room.takeEvents()
            if events.isEmpty {
                answer(working, .success(board.publish(working.room)))
            } else {
                changed.append(working)
                changes.append(RoomChange(room: working.room, basedOn: working.basedOn, events: events))
            }
        }
        guard !changes.isEmpty else { return [] }
        let outcomes: [CommitOutcome]
        do throws(StoreError) { outcomes = try store.commit(changes) } catch {
            environment.storeFailed(error)
            for working in changed {
                memory.distrusted.insert(working.room.pin)
                answer(working, .failure(.storeUnavailable))
            }
            return []
        }
        var again: [RoomWriter.Job] = []
        for (working, outcome) in zip(changed, outcomes) {
            switch outcome {
            case .stored:
                if working.basedOn == nil { memory.liveCounts[working.room.pin.digits]? += 1 }
                answer(working, .success(board.publish(working.room)))
            case .pinTaken:
                again += working.jobs.map(\.job)
            case .conflict:
                memory.distrusted.insert(working.room.pin)
                again += working.jobs.map(\.job)
            }
        }
        return again
    }

    private func answer(_ working: Working, _ result: Result<PublishedRoom, Failure>) {
        for (_, answer) in working.jobs { answers.append { answer(result) } }
    }

    /// A deadline that has passed, or enough submissions, reveal a room before anything else is done to it.
    private func settle(_ working: Working) {
        guard working.room.isDue(at: now) else { return }
        // A room that is due is open and has submissions, so it does not refuse.
        _ = try? working.room.reveal(at: now)
    }

    private func room(for target: RoomWriter.Job.Target, _ memory: inout WriterMemory) throws(Failure) -> Working {
        switch target {
        case .room(let pin):
            if let working = rooms[pin] { return working }
            let room = try current(pin, &memory)
            return add(Working(room, basedOn: room.sequence))
        case .new(let open):
            let pin = try freePIN(&memory)
            return add(Working(open(pin, Identifier("r_" + environment.newID()), now), basedOn: nil))
        }
    }

    private func add(_ working: Working) -> Working {
        rooms[working.room.pin] = working
        order.append(working)
        return working
    }

    private func current(_ pin: PIN, _ memory: inout WriterMemory) throws(Failure) -> Room {
        if !memory.distrusted.contains(pin), let published = board[pin] {
            guard !published.room.isExpired(at: now) else { throw .roomNotFound }
            return published.room
        }
        do throws(StoreError) {
            let room = try loader.load(pin, at: now)
            memory.distrusted.remove(pin)
            if let room { return board.publish(room).room }
        } catch {
            environment.storeFailed(error)
            throw .storeUnavailable
        }
        throw .roomNotFound
    }

    private func freePIN(_ memory: inout WriterMemory) throws(Failure) -> PIN {
        var random = EnvironmentRandom(environment: environment)
        do throws(StoreError) {
            var space = environment.pinSpace
            while environment.pinSpaceGrows, space.isCrowded(by: try liveCount(space.digits, &memory)), let next = space.next {
                space = next
            }
            for pin in space.draw(using: &random) where rooms[pin] == nil {
                if try !store.isLive(pin, at: now) { return pin }
            }
        } catch {
            environment.storeFailed(error)
            throw .storeUnavailable
        }
        throw .noFreePIN
    }

    private func liveCount(_ digits: Int, _ memory: inout WriterMemory) throws(StoreError) -> Int {
        if let count = memory.liveCounts[digits] { return count }
        let count = try store.liveCount(digits: digits)
        memory.liveCounts[digits] = count
        return count
    }
}
