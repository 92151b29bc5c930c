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

    public init(rooms: Int, bytes: [(part: String, count: Int)]) {
        self.rooms = rooms
        self.bytes = bytes
    }
}
