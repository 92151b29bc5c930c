import MenuGame

extension Rooms {
    /// Deletes the rooms that have expired, which frees their PINs, and the receipts, in small transactions so that no command waits long.
    ///
    /// That a room has expired is decided by the clock whenever it is read; this only clears up.
    ///
    /// - Parameter completion: gets how many rooms were deleted; fewer than there are where the store failed or the writer is closed.
    public func sweep(completion: @escaping @Sendable (_ deleted: Int) -> Void) { sweep(deleted: 0, completion) }

    private func sweep(deleted: Int, _ completion: @escaping @Sendable (Int) -> Void) {
        let chunk = Bounds.roomsPerSweep
        aside { [self] in
            guard !writer.isClosed else { return completion(deleted) }
            let now = environment.now()
            do throws(StoreError) {
                let pins = try store.deleteExpired(at: now, limit: chunk)
                board.remove(pins, expiredAt: now)
                // Other servers open and delete rooms as well.
                if !pins.isEmpty || store.isShared { writer.forget(pins) }
                if !pins.isEmpty {
                    observer.measure(.expired(pins.count))
                }
                let receipts = try store.deleteExpiredReceipts(at: now, limit: Bounds.receiptsPerSweep)
                let isDone = pins.count < chunk && receipts < Bounds.receiptsPerSweep
                if isDone { try library.renew() }
                if isDone { completion(deleted + pins.count) } else { sweep(deleted: deleted + pins.count, completion) }
            } catch {
                observer.storeFailed(error)
                completion(deleted)
            }
        }
    }

    /// Looks at the rooms that are due, so that they are revealed in time though nobody looks at them, by one of all the servers.
    ///
    /// - Parameter completion: gets how many they were.
    public func settleDue(completion: @escaping @Sendable (_ rooms: Int) -> Void) {
        aside { [self] in
            guard !writer.isClosed else { return completion(0) }
            let now = environment.now()
            do throws(StoreError) {
                let end = now.advanced(by: Bounds.lease)
                let pins = try store.lease(dueAt: now, until: end, limit: Bounds.roomsPerLease)
                // A look at a room that is due has it revealed. If that fails somebody is given it again.
                for pin in pins { read(pin) { _ in } }
                completion(pins.count)
            } catch {
                observer.storeFailed(error)
                completion(0)
            }
        }
    }
}
