public import MenuGame

extension Rooms {
    /// The room as it was last committed. Answered at once, on the caller's own thread, where it is in memory and no other server
    /// changes it; else the store is asked first how far the room is by now.
    ///
    /// A room whose deadline has passed is revealed by the clock and not by whoever looks; the first to look has it written down.
    public func read(_ pin: PIN, completion: @escaping Completion<PublishedRoom>) {
        let now = environment.now()
        // The PIN of an expired room may be another's by now.
        let published = board[pin].flatMap { $0.isExpired(at: now) ? nil : $0 }
        if let published, !store.isShared {
            observer.measure(.read(fromMemory: true))
            return look(at: published, now, completion)
        }
        let found: Completion<PublishedRoom> = { [self] result in
            guard case .success(let published) = result else { return completion(result) }
            observer.measure(.read(fromMemory: false))
            look(at: published, environment.now(), completion)
        }
        if let published { loader.refresh(published, then: found) } else { loader.load(pin, then: found) }
    }

    private func look(at published: PublishedRoom, _ now: Instant, _ completion: @escaping Completion<PublishedRoom>) {
        guard !published.isExpired(at: now) else { return completion(.failure(.roomNotFound)) }
        guard published.isDue(at: now) else { return completion(.success(published)) }
        // Where it cannot be written down just now it is shown as it was last known: reads do not depend on writes.
        writer.add(
            RoomWriter.Job(
                target: .room(published.room.pin), apply: { _, _ in RoomWriter.Job.Applied(answer: completion) },
                fail: { failure in completion(failure == .roomNotFound ? .failure(failure) : .success(published)) }))
    }
}
