import Dispatch
import MenuGame
import Synchronization

/// Brings committed rooms to those who watch them: on a serial queue of its own, away from the writer and from the event loops.
///
/// Watchers are kept by the room's id, so that nobody hears of another room that has drawn the same PIN. While deliveries lag behind, only
/// the newest state of each room waits. Nobody hears of a state that is not further than the last one they have seen, unless that is
/// one that the store has lost.
final class Watchers: Sendable {
    /// What has been said and not yet delivered, and of which rooms it is worth saying.
    private struct Inbox {
        var watched: [Identifier: PIN] = [:]
        var changed: [Identifier: PublishedRoom] = [:]
        var ended: Set<Identifier> = []
        /// Rooms of which something was shown that the store has lost.
        var goneBack: Set<Identifier> = []
        var isExpected = false
    }

    private let queue = DispatchQueue(label: "hansang.watchers")
    private let inbox = Mutex(Inbox())
    /// Used on the queue only.
    private let audiences = Mutex<[Identifier: Audience]>([:])
    private let deadlines: Deadlines
    private let environment: Environment

    init(deadlines: Deadlines, environment: Environment) {
        self.deadlines = deadlines
        self.environment = environment
    }

    // MARK: For whoever changes rooms

    /// The board shows this room now. Costs next to nothing where nobody watches it.
    func changed(_ room: PublishedRoom) {
        let id = room.room.id
        say { inbox in
            guard inbox.watched[id] != nil else { return false }
            if let waiting = inbox.changed[id], waiting.room.sequence > room.room.sequence { return false }
            inbox.changed[id] = room
            return true
        }
    }

    /// The board shows this room now in the place of a state that the store has lost, though that was further: everybody hears of it.
    func goBack(to room: PublishedRoom) {
        let id = room.room.id
        say { inbox in
            guard inbox.watched[id] != nil else { return false }
            inbox.changed[id] = room
            inbox.goneBack.insert(id)
            return true
        }
    }

    /// The room is over. To be called when the board no longer shows it, or shows it expired: whoever begins to watch it later looks there.
    func end(_ room: Identifier) {
        say { inbox in inbox.watched[room] != nil && inbox.ended.insert(room).inserted }
    }

    /// The PIN of a room that somebody watches.
    func pin(of room: Identifier) -> PIN? { inbox.withLock { $0.watched[room] } }

    /// The rooms that somebody watches, and their PINs.
    var watched: [Identifier: PIN] { inbox.withLock(\.watched) }

    private func say(_ body: (inout Inbox) -> Bool) {
        let isNew = inbox.withLock { inbox in
            guard body(&inbox), !inbox.isExpected else { return false }
            inbox.isExpected = true
            return true
        }
        if isNew { queue.async { self.deliver() } }
    }

    // MARK: For those who watch

    /// Adds a watcher who has seen the room up to `sequence`, then calls `look` for what was published before it was there.
    func add(_ watcher: any RoomWatcher, to room: PublishedRoom, after sequence: Int, thenLook look: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let id = room.room.id
            inbox.withLock { $0.watched[id] = room.room.pin }
            audiences.withLock { $0[id, default: Audience()].add(watcher, after: sequence) }
            deadlines.note(room)
            look()
        }
    }

    /// Takes a watcher away. What is being delivered may still reach it.
    func remove(_ watcher: any RoomWatcher, from room: Identifier) {
        queue.async { [self] in
            let isLast = audiences.withLock { audiences in
                audiences[room]?.remove(watcher)
                return audiences[room]?.isEmpty == true
            }
            if isLast { _ = close(room) }
        }
    }

    // MARK: On the queue

    private func deliver() {
        dispatchPrecondition(condition: .onQueue(queue))
        let (changed, ended, goneBack) = inbox.withLock { inbox in
            defer { (inbox.changed, inbox.ended, inbox.goneBack, inbox.isExpected) = ([:], [], [], false) }
            return (inbox.changed, inbox.ended, inbox.goneBack)
        }
        for id in goneBack {
            deadlines.forget(id)
            audiences.withLock { $0[id]?.startOver() }
        }
        for (id, room) in changed { show(room, to: id) }
        for id in ended { for watcher in close(id) { watcher.roomEnded() } }
    }

    /// Tells a room's audience of it, at once or a little later with what is new by then.
    private func show(_ room: PublishedRoom, to id: Identifier) {
        deadlines.note(room)
        // None where they have all gone meanwhile.
        switch audiences.withLock({ $0[id]?.turn(of: room, at: .now()) }) {
        case .now(let watchers)?:
            let news = News(room, at: environment.now())
            for watcher in watchers { watcher.roomChanged(news) }
        case .later(let time)?:
            queue.asyncAfter(deadline: time) { [weak self] in
                guard let self, let waiting = audiences.withLock({ $0[id]?.takeWaiting() }) else { return }
                show(waiting, to: id)
            }
        case .withTheNext?, nil: break
        }
    }

    /// Forgets a room, and returns who was watching it.
    private func close(_ room: Identifier) -> [any RoomWatcher] {
        inbox.withLock { inbox in
            inbox.watched[room] = nil
            inbox.changed[room] = nil
            inbox.ended.remove(room)
            inbox.goneBack.remove(room)
        }
        deadlines.forget(room)
        return audiences.withLock { $0.removeValue(forKey: room)?.watchers ?? [] }
    }
}
