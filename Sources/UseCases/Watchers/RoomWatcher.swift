public import MenuGame

/// Somebody who hears of every change of a room until it is over. Told on the watchers' queue, one thing at a time; it must not block.
public protocol RoomWatcher: AnyObject, Sendable {
    /// The room is further than anything this watcher has seen, or the store has lost what that was further. What it is told next is further
    /// still.
    func roomChanged(_ news: News)

    /// The room is over: closed, or its time is up. It is told nothing more.
    func roomEnded()
}

/// A room's newest state on its way to all of its watchers. Not to be kept.
public final class News {
    public let room: PublishedRoom
    /// When it was brought.
    public let at: Instant
    private var common: AnyObject?

    init(_ room: PublishedRoom, at now: Instant) {
        self.room = room
        at = now
    }

    /// What watchers of one kind make of the news together: made by the first of them, and let go of when the last has heard.
    public func shared<Work: AnyObject>(_ make: () -> Work) -> Work {
        if let work = common as? Work { return work }
        let work = make()
        common = work
        return work
    }
}
