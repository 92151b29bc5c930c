import HTTP
import MenuGame
import UseCases

/// One client's open stream of a room's events.
final class EventStream: RoomWatcher {
    private let stream: any ResponseStream
    private let caller: TokenHash?
    private let ended: @Sendable () -> Void

    /// - Parameter ended: called where the room is over.
    init(_ stream: any ResponseStream, for caller: TokenHash?, ended: @escaping @Sendable () -> Void) {
        self.stream = stream
        self.caller = caller
        self.ended = ended
    }

    /// A client that lags behind finds only the newest state: it says all that those before it said.
    func roomChanged(_ news: News) {
        news.shared { Broadcast(of: news.room, at: news.at) }.send(to: stream, for: caller)
    }

    /// Who does not know the last event comes back and is told that there is no such room.
    func roomEnded() {
        ended()
        stream.send(RoomEvents.end)
        stream.finish()
    }
}

/// One state of a room on its way to all of its streams: each view of it is written and framed once however many see it, and each event
/// loop is woken once, at the end.
private final class Broadcast {
    private let published: PublishedRoom
    private let now: Instant
    private var chunks = [StreamChunk?](repeating: nil, count: CallerView.variants)
    private var publication = Publication()

    init(of published: PublishedRoom, at now: Instant) {
        self.published = published
        self.now = now
    }

    func send(to stream: any ResponseStream, for caller: TokenHash?) {
        let view = CallerView(published, caller)
        let chunk = chunks[view.flags] ?? StreamChunk(RoomEvents.room(published, as: view, at: now))
        chunks[view.flags] = chunk
        publication.replace(with: chunk, on: stream)
    }
}
