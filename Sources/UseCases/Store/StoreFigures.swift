public import MenuGame

/// A store that tells its operator how it is.
public protocol MeasuredStore: Sendable {
    /// May block, as the calls of `RoomStore` do.
    func figures(at now: Instant) throws(StoreError) -> StoreFigures
}

/// How a store is.
public struct StoreFigures: Sendable {
    /// That have not expired.
    public var rooms: Int
    /// What it takes on disk, in bytes, by what it is: `database`, `log`.
    public var bytes: [(part: String, count: Int)]
    /// Messages to phones that no service has accepted yet, of those that have been made: counted up to `pushLimit`.
    public var push: [(service: PushService, count: Int)]

    /// Where counting ends, so that it takes no longer the more wait.
    public static let pushLimit = 10_000

    public init(rooms: Int, bytes: [(part: String, count: Int)], push: [(service: PushService, count: Int)]) {
        self.rooms = rooms
        self.bytes = bytes
        self.push = push
    }
}
