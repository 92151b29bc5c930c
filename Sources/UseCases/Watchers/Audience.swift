import Dispatch
import MenuGame

/// The watchers of one room, and how far each has seen it.
///
/// A snapshot names every member and goes to every watcher, so news of a room of five hundred is a thousand times what news of a dozen is.
/// Therefore a large audience rests behind each for as long as that much may take, and then hears of the newest state. Another stage is
/// never kept from it.
struct Audience {
    /// When an audience hears of a state.
    enum Turn {
        /// Those who have not seen it.
        case now([any RoomWatcher])
        /// It is to be asked then for what waits.
        case later(DispatchTime)
        /// It has been said already when that is.
        case withTheNext
    }

    private struct Seat {
        let watcher: any RoomWatcher
        var seen: Int
    }

    private struct Stage: Equatable {
        let round: Int
        let phase: Room.Phase
    }

    private var seats: [ObjectIdentifier: Seat] = [:]
    private var stage: Stage?
    private var restsUntil = DispatchTime(uptimeNanoseconds: 0)
    private var waiting: PublishedRoom?

    var isEmpty: Bool { seats.isEmpty }

    var watchers: [any RoomWatcher] { seats.values.map(\.watcher) }

    mutating func add(_ watcher: any RoomWatcher, after sequence: Int) {
        seats[ObjectIdentifier(watcher)] = Seat(watcher: watcher, seen: sequence)
    }

    mutating func remove(_ watcher: any RoomWatcher) { seats[ObjectIdentifier(watcher)] = nil }

    /// What they have seen is no more: whatever comes next is news to all of them, and at once.
    mutating func startOver() {
        for index in seats.values.indices { seats.values[index].seen = .min }
        stage = nil
    }

    mutating func turn(of room: PublishedRoom, at now: DispatchTime) -> Turn {
        let stage = Stage(round: room.room.round, phase: room.room.phase)
        if now < restsUntil, stage == self.stage {
            defer { waiting = room }
            return waiting == nil ? .later(restsUntil) : .withTheNext
        }
        self.stage = stage
        waiting = nil
        let told = advance(to: room.room.sequence)
        restsUntil = now + .nanoseconds(told.count * room.room.members.count * Bounds.newsPause)
        return .now(told)
    }

    /// What was to be told later.
    mutating func takeWaiting() -> PublishedRoom? {
        defer { waiting = nil }
        return waiting
    }

    /// Those who have not seen the room at `sequence`; now they have.
    private mutating func advance(to sequence: Int) -> [any RoomWatcher] {
        var behind: [any RoomWatcher] = []
        for index in seats.values.indices where seats.values[index].seen < sequence {
            seats.values[index].seen = sequence
            behind.append(seats.values[index].watcher)
        }
        return behind
    }
}
