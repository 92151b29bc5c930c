public import MenuGame

/// One state of a room among all that it has had.
public struct RoomVersion: Hashable, Sendable {
    public let sequence: Int
    /// Drawn for the change that wrote this state; `nil` where the store keeps none. A store that has lost what it had acknowledged comes to
    /// the same sequence again with another state, and only this tells them apart.
    public let mark: Int64?

    public init(sequence: Int, mark: Int64?) {
        self.sequence = sequence
        self.mark = mark
    }
}

/// A room as a store gives it back.
public struct StoredRoom: Hashable, Sendable {
    public let record: RoomRecord
    /// See `RoomVersion.mark`.
    public let mark: Int64?

    public init(_ record: RoomRecord, mark: Int64?) {
        self.record = record
        self.mark = mark
    }
}
