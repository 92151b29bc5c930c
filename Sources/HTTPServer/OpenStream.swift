import HTTP
import Synchronization

/// One stream between its owner and its connection: what the owner says waits here until the connection can write it.
final class OpenStream: ResponseStream {
    enum Next {
        case nothing
        case chunk(StreamChunk, isLast: Bool)
        case finish
        /// The owner has said more than the limit, and the reader taken too little.
        case overflow
    }

    let ticket: ConnectionState.Ticket
    let heartbeat: Heartbeat?

    private struct Content {
        /// Let go of at the end: an owner who keeps the stream keeps nothing else.
        var connection: Connection?
        var queue: StreamQueue
        /// The loop knows that there is something to write, and will come for it.
        var isExpected = false
        var isFinishing = false
        var hasOverflown = false
        var end: CloseReason?
        var onClose: Handler?
    }

    private typealias Handler = @Sendable (any ResponseStream, CloseReason) -> Void

    private let content: Mutex<Content>

    init(_ connection: Connection, _ ticket: ConnectionState.Ticket, heartbeat: Heartbeat?, limit: Int) {
        self.ticket = ticket
        self.heartbeat = heartbeat
        content = Mutex(Content(connection: connection, queue: StreamQueue(limit: limit)))
    }

    // MARK: For the owner, on any thread

    func send(_ piece: StreamChunk) {
        change { content in
            guard !content.queue.add(piece) else { return }
            content.hasOverflown = true
            content.queue.removeAll()
            // The loop may wait for the client, which is what has to end.
            content.isExpected = false
        }
    }

    func replace(with snapshot: StreamChunk) {
        change { $0.queue.replace(with: snapshot) }
    }

    func replace(with snapshot: StreamChunk, in publication: inout Publication) {
        guard let loop = note({ $0.queue.replace(with: snapshot) }) else { return }
        loop.put(self)
        publication.wake(loop)
    }

    func finish() {
        change { $0.isFinishing = true }
    }

    func onClose(_ handler: @escaping @Sendable (any ResponseStream, CloseReason) -> Void) {
        let end = content.withLock { content in
            if content.end == nil { content.onClose = handler }
            return content.end
        }
        if let end { handler(self, end) }
    }

    private func change(_ change: (inout Content) -> Void) {
        guard let loop = note(change) else { return }
        loop.put(self)
        loop.wake()
    }

    /// The loop, when it does not know yet that it is to come.
    private func note(_ change: (inout Content) -> Void) -> EventLoop? {
        content.withLock { content in
            guard content.end == nil, !content.isFinishing, !content.hasOverflown else { return nil }
            change(&content)
            defer { content.isExpected = true }
            return content.isExpected ? nil : content.connection?.loop
        }
    }

    // MARK: For the connection, on its loop

    /// `nil` after the end.
    var connection: Connection? { content.withLock { $0.connection } }

    var hasOverflown: Bool { content.withLock { $0.hasOverflown } }

    /// What is to be written next. After `nothing` the loop is told again when there is something.
    func next() -> Next {
        content.withLock { content in
            if content.hasOverflown { return .overflow }
            if let chunk = content.queue.next() { return .chunk(chunk, isLast: content.queue.isEmpty) }
            if content.isFinishing { return .finish }
            content.isExpected = false
            return .nothing
        }
    }

    /// Nothing is taken any more, and the owner is told.
    func end(_ reason: CloseReason) {
        var handler: Handler?
        var connection: Connection?
        content.withLock { content in
            guard content.end == nil else { return }
            content.end = reason
            content.queue.removeAll()
            (handler, content.onClose) = (content.onClose, nil)
            (connection, content.connection) = (content.connection, nil)
        }
        // What the lock has let go of ends here, outside of it.
        withExtendedLifetime(connection) { handler?(self, reason) }
    }
}
