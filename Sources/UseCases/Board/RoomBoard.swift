import Dispatch
import MenuGame
internal import Synchronization

/// The committed rooms that are in memory: what every read is answered from.
///
/// A bounded cache of two generations: a full young one becomes the old one, and what is found in the old one is young again. So what
/// was not used for a generation goes, without a list to keep on every read.
final class RoomBoard: Sendable {
    private struct Generations {
        var young: [PIN: PublishedRoom] = [:]
        var old: [PIN: PublishedRoom] = [:]
        /// Of the young one: see `PublishedRoom.weight`.
        var weight = 0
        /// Counts what was taken off or gave way to another room, so that a slow load cannot put back what has gone meanwhile.
        var removals = 0
    }

    private let generations = Mutex(Generations())
    private let capacity: Int

    /// - Parameter capacity: of one generation, in members; see `PublishedRoom.weight`.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    subscript(pin: PIN) -> PublishedRoom? {
        generations.withLock { generations in
            if let room = generations.young[pin] { return room }
            guard let room = generations.old[pin] else { return nil }
            put(room, in: &generations)
            return room
        }
    }

    /// Shows a committed room. An older state never replaces a newer one.
    ///
    /// - Returns: what is shown now.
    @discardableResult
    func publish(_ room: PublishedRoom) -> PublishedRoom { generations.withLock { show(room, in: &$0) } }

    /// How often something was taken off so far: what `publish(_:ifUnchangedSince:)` compares.
    var removals: Int { generations.withLock(\.removals) }

    /// Shows a room that was loaded, unless something was taken off since the load began: then the loaded state may be one that has gone.
    ///
    /// - Returns: what is shown now, or else the room all the same.
    func publish(_ room: PublishedRoom, ifUnchangedSince removals: Int) -> PublishedRoom {
        generations.withLock { $0.removals == removals ? show(room, in: &$0) : room }
    }

    /// Puts a room in the place of one that it is not further than.
    ///
    /// - Returns: whether `former` was still shown; else nothing has changed.
    func replace(_ former: PublishedRoom, with room: PublishedRoom) -> Bool {
        generations.withLock { generations in
            let pin = former.room.pin
            guard (generations.young[pin] ?? generations.old[pin]) === former else { return false }
            put(room, in: &generations)
            // What loads meanwhile may be what has gone.
            generations.removals += 1
            return true
        }
    }

    /// Takes off a room that the store no longer has, unless another has its PIN by now.
    func remove(_ pin: PIN, ofRoom id: Identifier) {
        generations.withLock { generations in
            generations.removals += 1
            if let room = generations.young[pin], room.room.id == id {
                generations.young[pin] = nil
                generations.weight -= room.weight
            }
            if generations.old[pin]?.room.id == id { generations.old[pin] = nil }
        }
    }

    func remove(_ pins: [PIN], expiredAt now: Instant) {
        generations.withLock { generations in
            generations.removals += 1
            for pin in pins {
                // The PIN may have been drawn again since.
                if let room = generations.young[pin], room.room.isExpired(at: now) {
                    generations.young[pin] = nil
                    generations.weight -= room.weight
                }
                if generations.old[pin]?.room.isExpired(at: now) == true { generations.old[pin] = nil }
            }
        }
    }

    private func show(_ room: PublishedRoom, in generations: inout Generations) -> PublishedRoom {
        if let current = generations.young[room.room.pin] ?? generations.old[room.room.pin] {
            // Of two rooms with one PIN the later is the live one: it was opened when the other had expired.
            let isSame = current.room.id == room.room.id
            if isSame ? isFurther(current, room) : current.room.createdAt > room.room.createdAt { return current }
            if !isSame { generations.removals += 1 }
        }
        put(room, in: &generations)
        return room
    }

    /// Also where they are the same.
    private func isFurther(_ current: PublishedRoom, _ room: PublishedRoom) -> Bool {
        current.room.sequence > room.room.sequence || current.version == room.version
    }

    private func put(_ room: PublishedRoom, in generations: inout Generations) {
        if generations.weight >= capacity, generations.young[room.room.pin] == nil {
            // To free tens of thousands of rooms takes longer than anybody may wait for the lock.
            let gone = generations.old
            DispatchQueue.global().async { _ = gone.count }
            generations.old = generations.young
            generations.young = Dictionary(minimumCapacity: generations.old.count)
            generations.weight = 0
            generations.removals += 1
        }
        let former = generations.young.updateValue(room, forKey: room.room.pin)
        generations.weight += room.weight - (former?.weight ?? 0)
        generations.old[room.room.pin] = nil
    }
}
