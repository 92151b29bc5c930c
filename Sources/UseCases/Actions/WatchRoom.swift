public import MenuGame

extension Rooms {
    /// Has `watcher` hear of every change of a room, and of its end.
    ///
    /// - Parameters:
    ///   - room: as it was read.
    ///   - sequence: what the watcher has seen already; it hears of what is further.
    public func watch(_ room: PublishedRoom, after sequence: Int, by watcher: any RoomWatcher) {
        let (id, pin) = (room.room.id, room.room.pin)
        // Looked at only when the watcher is there: what is published from then on reaches it.
        watchers.add(watcher, to: room, after: sequence) { [self] in look(at: id, pin, after: sequence) }
    }

    /// Has it hear no more. What is being delivered may still reach it.
    public func unwatch(_ room: Identifier, by watcher: any RoomWatcher) { watchers.remove(watcher, from: room) }

    /// Looks at a watched room and tells its watchers what there is to see: that it is further than `sequence`, or that it is over.
    func look(at id: Identifier, _ pin: PIN, after sequence: Int = .min) {
        read(pin) { [watchers] result in
            switch result {
            case .success(let published) where published.room.id == id:
                if published.room.sequence > sequence { watchers.changed(published) }
            // Another room has drawn its PIN.
            case .success, .failure(.roomNotFound): watchers.end(id)
            // The deadlines look again in a while where there is something to see.
            case .failure: break
            }
        }
    }
}
