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
        writer.perform { [self] in
            guard !writer.isClosed else { return completion(deleted) }
            let now = environment.now()
            do throws(StoreError) {
                let pins = try store.deleteExpired(at: now, limit: chunk)
                board.remove(pins, expiredAt: now)
                if !pins.isEmpty {
                    writer.forgetCounts()
                    environment.measure(.expired(pins.count))
                }
                let receipts = try store.deleteExpiredReceipts(at: now, limit: Bounds.receiptsPerSweep)
                let isDone = pins.count < chunk && receipts < Bounds.receiptsPerSweep
                if isDone { completion(deleted + pins.count) } else { sweep(deleted: deleted + pins.count, completion) }
            } catch {
                environment.storeFailed(error)
                completion(deleted)
            }
        }
    }
}
