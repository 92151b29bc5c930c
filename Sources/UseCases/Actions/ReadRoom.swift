public import MenuGame

extension Rooms {
    /// The room as it was last committed. Answered at once, on the caller's own thread, where it is in memory and no other server
    /// changes it; else the store is asked first how far the room is by now.
    ///
    /// A room whose deadline has passed is revealed by the clock and not by whoever looks; the first to look has it written down.
    public func read(_ pin: PIN, completion: @escaping Completion<PublishedRoom>) {
        // The PIN of an expired room may be another's by now.
        let published = board[pin].flatMap { $0.isExpired(at: environment.now()) ? nil : $0 }
        let isFromMemory = published != nil && !store.isShared
        let found: Completion<PublishedRoom> = { [self] result in
            guard case .success(let published) = result else { return completion(result) }
            observer.measure(.read(fromMemory: isFromMemory))
            look(at: published, completion)
        }
        guard let published else { return loader.load(pin, then: found) }
        guard store.isShared else { return found(.success(published)) }
        loader.refresh(published, then: found)
    }

    private func look(at published: PublishedRoom, _ completion: @escaping Completion<PublishedRoom>) {
        let now = environment.now()
        guard !published.isExpired(at: now) else { return completion(.failure(.roomNotFound)) }
        guard published.isDue(at: now) else { return completion(.success(published)) }
        // Where it cannot be written down just now it is shown as it was last known: reads do not depend on writes.
        writer.add(
            RoomWriter.Job(
                target: .room(published.room.pin), apply: { _, _ in RoomWriter.Job.Applied(answer: completion) },
                fail: { failure in completion(failure == .roomNotFound ? .failure(failure) : .success(published)) }))
    }
}
