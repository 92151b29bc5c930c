import MenuGame

/// Brings rooms from the store onto the board, at once and where it is called.
struct Loading: Sendable {
    let store: any RoomStore
    let library: CatalogueLibrary
    let board: RoomBoard
    let watchers: Watchers
    let observer: RoomObserver

    /// The rooms with these PINs, straight from the store.
    func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: PublishedRoom] {
        var rooms: [PIN: PublishedRoom] = [:]
        for (pin, stored) in try store.load(pins, at: now) {
            let record = stored.record
            let catalogue: Catalogue
            do throws(StoreError) { catalogue = try library.catalogue(record.catalogue) } catch {
                throw StoreError("room \(record.id): \(error)")
            }
            do throws(RecordFault) { rooms[pin] = PublishedRoom(try Room(record, catalogue: catalogue), mark: stored.mark) } catch {
                throw StoreError("room \(record.id) \(error.rawValue)")
            }
        }
        return rooms
    }

    /// Loads rooms and puts them onto the board. Those that are no more are left out.
    func publish(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: PublishedRoom] {
        let (known, removals) = (known(pins), board.removals)
        return try load(pins, at: now).mapValues { loaded in
            let published = show(loaded, over: known[loaded.room.pin]) ?? board.publish(loaded, ifUnchangedSince: removals)
            published.confirm(at: now)
            return published
        }
    }

    /// What is shown of these rooms before they are loaded; see `show`.
    func known(_ pins: [PIN]) -> [PIN: PublishedRoom] {
        var known: [PIN: PublishedRoom] = [:]
        for pin in pins { known[pin] = board[pin] }
        return known
    }

    /// Puts a room that was loaded in the place of one that was shown before the store was asked and is not behind it. That was committed,
    /// so the store has lost it since: a standby that lacked it was promoted, or the database was put back. An answer that is merely old
    /// proves nothing, for `known` is no longer shown then.
    ///
    /// - Returns: the room if it is shown now; else `nil`, and it is to be published as usual.
    func show(_ loaded: PublishedRoom, over known: PublishedRoom?) -> PublishedRoom? {
        guard let known, known.room.id == loaded.room.id, known.version != loaded.version,
            known.room.sequence >= loaded.room.sequence, board.replace(known, with: loaded)
        else { return nil }
        guard known.hasMore(than: loaded) else { return loaded }
        observer.storeFailed(
            StoreError(
                "room \(loaded.room.id) was at sequence \(known.room.sequence) and is another at \(loaded.room.sequence): the store has lost what it had acknowledged"
            ))
        library.doubtStore()
        watchers.goBack(to: loaded)
        return loaded
    }
}

extension PublishedRoom {
    /// Whether there is something in it that `other`, which is no further, has otherwise or not. A mark alone changes also where somebody
    /// has kept an answer with the room and left it as it was.
    fileprivate func hasMore(than other: PublishedRoom) -> Bool {
        let (own, others) = (room, other.room)
        return own.sequence != others.sequence || own.members != others.members || own.results != others.results
            || own.host != others.host || own.round != others.round || own.removed != others.removed
            || own.deadlineAt != others.deadlineAt
    }
}
