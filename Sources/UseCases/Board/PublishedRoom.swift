public import MenuGame
import Synchronization

/// A room as it was committed. Immutable, so that any number of readers can hold it without a lock.
public final class PublishedRoom: Sendable {
    /// As it was committed or loaded, so without events that are still to be written.
    public let room: Room
    /// See `RoomVersion.mark`.
    public let mark: Int64?
    /// Until when it is known to have been so, where the store could not be asked whether it still is; else `nil`: it is so now.
    public let asOf: Instant?
    // Beside the room, since every read looks at them and to ask a value of its size costs a copy of it.
    /// What it takes in memory, as a number of members.
    let weight: Int
    let expiresAt: Instant
    let dueAt: Instant?
    /// In milliseconds; see `confirm(at:)`.
    private let confirmedAt: Atomic<Int64>
    private let presentation = Mutex<[UInt8]?>(nil)

    public init(_ room: Room, mark: Int64? = nil, asOf: Instant? = nil) {
        self.mark = mark
        self.asOf = asOf
        // A result keeps a ballot for each who answered; what is kept of a removed member is a quarter of one.
        weight = 10 + room.members.count + room.removed.count / 4 + room.results.reduce(0) { $0 + $1.ballots.count + 4 }
        expiresAt = room.expiresAt
        dueAt = room.dueAt
        confirmedAt = Atomic(room.createdAt.milliseconds)
        self.room = room
    }

    /// Which of the room's states it is.
    public var version: RoomVersion { RoomVersion(sequence: room.sequence, mark: mark) }

    /// It was committed, loaded or compared with the store, which knew of nothing newer at this moment.
    func confirm(at now: Instant) { confirmedAt.max(now.milliseconds, ordering: .relaxed) }

    /// What is shown of it while the store cannot be asked.
    var outdated: PublishedRoom { PublishedRoom(room, mark: mark, asOf: Instant(milliseconds: confirmedAt.load(ordering: .relaxed))) }

    func isExpired(at now: Instant) -> Bool { expiresAt <= now }

    func isDue(at now: Instant) -> Bool { dueAt.map { $0 <= now } ?? false }

    /// What somebody is in the room: all false for a stranger.
    public func standing(of token: TokenHash) -> (isMember: Bool, isHost: Bool, hasSubmitted: Bool) { room.standing(of: token) }

    /// What `present` makes of the room, made when it is first asked for: hundreds read a room between two changes of it.
    ///
    /// - Parameter present: always the same function.
    public func presented(by present: (Room) -> [UInt8]) -> [UInt8] {
        presentation.withLock { presentation in
            if let presentation { return presentation }
            let bytes = present(room)
            presentation = bytes
            return bytes
        }
    }
}
