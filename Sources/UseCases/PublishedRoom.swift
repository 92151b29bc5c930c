public import MenuGame
import Synchronization

/// A room as it was committed. Immutable, so that any number of readers can hold it without a lock.
public final class PublishedRoom: Sendable {
    public let room: Room
    private let presentation = Mutex<[UInt8]?>(nil)

    init(_ room: Room) { self.room = room }

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
