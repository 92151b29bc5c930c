import Synchronization

extension API {
    /// Streams and held answers that are open.
    public var streams: Int { openStreams.total }

    /// How often somebody named a PIN that no room has, and how often of these they were told to wait.
    public var failedLookups: (all: Int, refused: Int) {
        (throttle.failures.load(ordering: .relaxed), throttle.refusedLookups.load(ordering: .relaxed))
    }

    /// How often somebody was told to wait before they open another room.
    public var refusedRooms: Int { throttle.refusedRooms.load(ordering: .relaxed) }
}
