import MenuGame

// What a command needs to know before it can be applied.
extension WriterBatch {
    /// The room that has this PIN, as it was committed last.
    func current(_ pin: PIN, _ memory: inout WriterMemory) throws(Failure) -> Room {
        if !memory.distrusted.contains(pin), let published = board[pin] {
            guard !published.room.isExpired(at: now) else { throw .roomNotFound }
            return published.room
        }
        let room = try fromStore { () throws(StoreError) in try loader.load(pin, at: now) }
        memory.distrusted.remove(pin)
        // What was thought to have failed may have been stored after all, and its watchers hear of it now.
        guard let room else {
            if let gone = board[pin] {
                board.remove(pin)
                watchers.end(gone.room.id)
            }
            throw .roomNotFound
        }
        let published = board.publish(room)
        watchers.changed(published)
        return published.room
    }

    /// A PIN that no live room has, and none that is being opened.
    func freePIN(asNumber: Bool, _ memory: inout WriterMemory) throws(Failure) -> PIN {
        var random = EnvironmentRandom(environment: environment)
        var space = environment.pinSpace
        while environment.pinSpaceGrows, space.isCrowded(by: try liveCount(space.digits, &memory)), let next = space.next {
            space = next
        }
        for pin in space.draw(asNumbers: asNumber, using: &random) where rooms[pin] == nil {
            let isLive = try fromStore { () throws(StoreError) in try store.isLive(pin, at: now) }
            if !isLive { return pin }
        }
        throw .noFreePIN
    }

    private func liveCount(_ digits: Int, _ memory: inout WriterMemory) throws(Failure) -> Int {
        if let count = memory.liveCounts[digits] { return count }
        let count = try fromStore { () throws(StoreError) in try store.liveCount(digits: digits) }
        memory.liveCounts[digits] = count
        return count
    }

    /// Nobody opens rooms without end.
    func limitRooms(of token: TokenHash) throws(Failure) {
        let ends = try fromStore { () throws(StoreError) in try store.roomsExpire(openedBy: token, at: now) }
        guard ends.count + opened[token, default: 0] >= environment.roomsPerToken else { return }
        let first = ends.min() ?? now.advanced(by: environment.roomLifetime)
        throw .limited(retryAfter: .milliseconds(first.milliseconds &- now.milliseconds))
    }

    /// Nobody has answers kept without end.
    func limitReceipts(of owner: TokenHash) throws(Failure) {
        let kept = try fromStore { () throws(StoreError) in try store.receiptBytes(of: owner) }
        guard kept + claimedBytes[owner, default: 0] < Limits.receiptBytesPerToken else { throw .tooManyReceipts }
    }

    /// Nor has a room, whose answers may be as large as itself.
    func limitReceipts(of working: Working) throws(Failure) {
        guard working.basedOn != nil else { return }
        let kept = try fromStore { () throws(StoreError) in try store.receiptBytes(in: working.room.id) }
        guard kept + working.receipts.reduce(0, { $0 + $1.size }) < Limits.receiptBytesPerRoom else { throw .tooManyReceipts }
    }

    func fromStore<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) { return try body() } catch {
            environment.storeFailed(error)
            throw .storeUnavailable
        }
    }
}
