public import MenuGame

/// What happened to one room since the sequence that it was based on.
public struct RoomChange: Sendable {
    /// The room as it is to be shown once this is stored.
    public let published: PublishedRoom
    /// The stored room that this was made from, whatever its mark where there is none; `nil` for a room that is to be created.
    public let basedOn: RoomVersion?
    /// In order; empty only where there is nothing to write but receipts.
    public let events: [RoomEvent]
    /// Kept if the change is stored, in place of those under their keys that have expired. Those of no room come with openings alone.
    public let receipts: [Receipt]
    /// What phones are to be told of it: kept in the outbox if the change is stored, in place of an older one of the room.
    public let notice: PushNotice?

    public init(
        _ published: PublishedRoom, basedOn: RoomVersion?, events: [RoomEvent], receipts: [Receipt] = [], notice: PushNotice? = nil
    ) {
        self.published = published
        self.basedOn = basedOn
        self.events = events
        self.receipts = receipts
        self.notice = notice
    }

    /// The same where nobody knows the marks: a new one is drawn.
    ///
    /// - Parameter sequence: of the stored room that this was made from; `nil` for a room that is to be created.
    public init(room: Room, basedOn sequence: Int?, events: [RoomEvent], receipts: [Receipt] = [], notice: PushNotice? = nil) {
        let basedOn = sequence.map { RoomVersion(sequence: $0, mark: nil) }
        self.init(PublishedRoom(room, mark: .random(in: 0 ... .max)), basedOn: basedOn, events: events, receipts: receipts, notice: notice)
    }

    /// The room as it is to be.
    public var room: Room { published.room }
}

/// What a store did with one change of a batch.
public enum CommitOutcome: Hashable, Sendable {
    case stored
    /// A live room has the PIN already.
    case pinTaken
    /// The stored room is no longer the one that the change was based on, or another answer is kept under the key of one of its receipts.
    case conflict
}
