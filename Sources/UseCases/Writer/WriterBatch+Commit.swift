import MenuGame

// What becomes of a batch once its commands have been applied.
extension WriterBatch {
    /// Writes everything down, publishes it and answers.
    ///
    /// - Returns: commands to be applied again, since their rooms were changed by somebody else or revealed meanwhile.
    mutating func commit(_ memory: inout WriterMemory) -> [RoomWriter.Job] {
        var again: [RoomWriter.Job] = []
        var changed: [Working] = []
        var changes: [RoomChange] = []
        var unchanged: [Working] = []
        changed.reserveCapacity(order.count)
        changes.reserveCapacity(order.count)
        for working in order {
            let events = working.room.takeEvents()
            if events.isEmpty, working.receipts.isEmpty {
                unchanged.append(working)
            } else {
                changed.append(working)
                let notice = settings.writesNotices ? PushNotice(events, in: working.room, at: now) : nil
                let mark = store.isShared ? Int64(environment.random() >> 1) : nil
                changes.append(
                    RoomChange(
                        PublishedRoom(working.room, mark: mark), basedOn: working.basedOn, events: events, receipts: working.receipts,
                        notice: notice))
            }
        }
        finish(unchanged, &memory, &again)
        guard !changes.isEmpty else { return again }
        let outcomes: [CommitOutcome]
        let began = ContinuousClock.now
        do throws(StoreError) { outcomes = try store.commit(changes) } catch {
            observer.storeFailed(error)
            for working in changed {
                // Nobody knows the PIN of a room that was to be new.
                if working.basedOn != nil { memory.distrusted.insert(working.room.pin) }
                fail(working, .storeUnavailable)
            }
            return again
        }
        if settings.writesNotices, zip(changes, outcomes).contains(where: { $0.notice != nil && $1 == .stored }) {
            observer.noticeWritten()
        }
        observer.measure(.committed(changes, outcomes, ContinuousClock.now - began))
        for (index, working) in changed.enumerated() {
            switch outcomes[index] {
            case .stored:
                let committed = changes[index].published
                if working.basedOn == nil {
                    memory.liveCounts[committed.room.pin.digits]? += 1
                    memory.distrusted.remove(committed.room.pin)
                }
                let published = succeed(working, committed, &again)
                if committed.room.isClosed {
                    memory.liveCounts[committed.room.pin.digits]? -= 1
                    watchers.end(committed.room.id)
                } else {
                    watchers.changed(published)
                }
            case .pinTaken: again += working.done.map(\.job) + working.waiting
            case .conflict: lose(working, &memory, &again)
            }
        }
        return again
    }

    /// Answers for rooms that were left as they are. What was said to their callers holds only if they are still as they were here.
    private mutating func finish(_ unchanged: [Working], _ memory: inout WriterMemory, _ again: inout [RoomWriter.Job]) {
        guard store.isShared, !unchanged.isEmpty else {
            for working in unchanged { _ = succeed(working, working.unchanged, &again) }
            return
        }
        do throws(Failure) {
            let versions = try fromStore { () throws(StoreError) in try store.versions(of: unchanged.map(\.room.id)) }
            for working in unchanged {
                if versions[working.room.id] == working.basedOn {
                    _ = succeed(working, working.unchanged, &again)
                } else {
                    lose(working, &memory, &again)
                }
            }
        } catch {
            for working in unchanged { fail(working, error) }
        }
    }

    private mutating func lose(_ working: Working, _ memory: inout WriterMemory, _ again: inout [RoomWriter.Job]) {
        // Nobody knows of a room that was to be new.
        if working.basedOn != nil {
            memory.distrusted.insert(working.room.pin)
            contested.append(working.room.id)
        }
        again += working.done.map(\.job) + working.waiting
    }

    /// Publishes a room and has its callers answered, after the reveal if it is due.
    ///
    /// - Returns: what is shown now.
    private mutating func succeed(_ working: Working, _ committed: PublishedRoom, _ again: inout [RoomWriter.Job]) -> PublishedRoom {
        let isClosed = committed.room.isClosed
        let published = isClosed ? committed : board.publish(committed)
        published.confirm(at: now)
        if isClosed { board.remove(committed.room.pin, ofRoom: committed.room.id) }
        if published.isDue(at: now), !isClosed {
            settlements.append(Settlement(published: published, answers: working.done.map(\.answer), waiting: working.waiting))
        } else {
            for done in working.done { answers.append(.done(done.answer, .success(published))) }
            // It was revealed within this batch.
            again += working.waiting
        }
        return published
    }

    private mutating func fail(_ working: Working, _ failure: Failure) {
        for done in working.done { answers.append(.done(done.answer, .failure(failure))) }
        for job in working.waiting { answers.append(.failed(job, failure)) }
    }
}
