import MenuGame

// What commands need to know before they can be applied: asked of the store once for all commands of a batch.
extension WriterBatch {
    mutating func prepare(for jobs: [RoomWriter.Job], _ memory: inout WriterMemory) {
        load(for: jobs, &memory)
        var question = StoreQuestion()
        var openings: [RoomWriter.Job.Opening] = []
        for job in jobs {
            if let claim = job.claim {
                question.receipts.insert(claim.key)
                question.owners.insert(claim.key.owner)
            }
            switch job.target {
            case .new(let opening):
                question.openers.insert(opening.opener)
                openings.append(opening)
            case .room(let pin):
                if job.claim != nil, let published = try? current(pin) { question.rooms.insert(published.room.id) }
            }
        }
        do throws(StoreError) {
            var draws = try openings.isEmpty ? [] : self.draws(for: openings, &memory)
            question.pins = Set(draws.compactMap(\.pins.first))
            guard !question.isEmpty else { return }
            facts = try store.facts(question, at: now)
            try pick(from: &draws)
        } catch {
            observer.storeFailed(error)
            facts = nil
        }
    }

    /// Takes the rooms that are on the board, which need not be there any more in a moment, and brings the others, and those that cannot
    /// be believed as they are there.
    private mutating func load(for jobs: [RoomWriter.Job], _ memory: inout WriterMemory) {
        var pins: Set<PIN> = []
        for case .room(let pin) in jobs.lazy.map(\.target) where loaded[pin] == nil {
            if let published = trusted(pin, memory) { loaded[pin] = .success(published) } else { pins.insert(pin) }
        }
        guard !pins.isEmpty else { return }
        let known = loader.known(Array(pins))
        for (pin, answer) in askEach(Array(pins), { pins throws(StoreError) in try loader.load(pins, at: now) }) {
            switch answer {
            case .success(let room): take(room, over: known[pin], for: pin, &memory)
            case .failure(let error):
                observer.storeFailed(error)
                loaded[pin] = .failure(.storeUnavailable)
            }
        }
    }

    private mutating func take(_ room: PublishedRoom?, over known: PublishedRoom?, for pin: PIN, _ memory: inout WriterMemory) {
        memory.distrusted.remove(pin)
        let gone = board[pin]
        // Whichever of two rooms with one PIN the store has is the live one, whatever the clocks of their servers said.
        if let gone, gone.room.id != room?.room.id { end(gone) }
        guard let room else {
            loaded[pin] = .failure(.roomNotFound)
            return
        }
        let published = loader.show(room, over: known) ?? board.publish(room)
        published.confirm(at: now)
        // What was thought to have failed may have been stored after all, and its watchers hear of it now.
        watchers.changed(published)
        loaded[pin] = .success(published)
    }

    private func end(_ gone: PublishedRoom) {
        board.remove(gone.room.pin, ofRoom: gone.room.id)
        watchers.end(gone.room.id)
    }

    /// The room that has this PIN, as it was committed last.
    func current(_ pin: PIN) throws(Failure) -> PublishedRoom {
        guard let result = loaded[pin] else { throw .roomNotFound }
        return try result.get()
    }

    private func trusted(_ pin: PIN, _ memory: WriterMemory) -> PublishedRoom? {
        guard !memory.distrusted.contains(pin), let published = board[pin], !published.isExpired(at: now) else { return nil }
        return published
    }

    func known() throws(Failure) -> StoreFacts {
        guard let facts else { throw .storeUnavailable }
        return facts
    }

    func fromStore<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) { return try body() } catch {
            observer.storeFailed(error)
            throw .storeUnavailable
        }
    }
}
