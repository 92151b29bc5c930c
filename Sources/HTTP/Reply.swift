/// What a responder answers through: once, from any thread, now or later.
public struct Reply: Sendable {
    private enum Way {
        case closure(@Sendable (Response) -> Void)
        case channel(any ReplyChannel, ConnectionState.Ticket)
    }

    private let way: Way

    /// A reply that only takes whole responses.
    ///
    /// - Parameter deliver: has to take a second answer too, and drop it (`ConnectionState.answer`).
    public init(_ deliver: @escaping @Sendable (Response) -> Void) { way = .closure(deliver) }

    public init(_ channel: any ReplyChannel, _ ticket: ConnectionState.Ticket) { way = .channel(channel, ticket) }

    /// The first answer counts; a later one, or one to a client that has gone, is dropped without a word.
    public func send(_ response: consuming Response) {
        switch way {
        case .closure(let deliver): deliver(response)
        case .channel(let channel, let ticket): channel.deliver(response, ticket)
        }
    }

    /// Answers with a body that stays open. The content of `head`, if it has any, is the first piece of it and goes out together with
    /// the fields. To HEAD only the fields are sent, and the stream is over.
    public func stream(_ head: Response, heartbeat: Heartbeat? = nil) -> any ResponseStream {
        switch way {
        case .closure(let deliver):
            deliver(Response(Status(501)))
            return ClosedStream()
        case .channel(let channel, let ticket): return channel.open(head, heartbeat: heartbeat, ticket)
        }
    }

    /// For an answer that waits for something: `handler` is told, at most once and only while the answer is due, that there is no more
    /// point in waiting (`clientGone` or `serverStopping`). The answer is still owed, and the client may be there to read it: one that
    /// has only shut its sending side looks the same. Called by the loop, which it must not block, or here and now.
    public func onInterruption(_ handler: @escaping @Sendable (CloseReason) -> Void) {
        if case .channel(let channel, let ticket) = way { channel.onInterruption(ticket, handler) }
    }
}

/// What carries replies to their connection.
public protocol ReplyChannel: AnyObject, Sendable {
    func deliver(_ response: Response, _ ticket: ConnectionState.Ticket)
    func open(_ head: Response, heartbeat: Heartbeat?, _ ticket: ConnectionState.Ticket) -> any ResponseStream
    func onInterruption(_ ticket: ConnectionState.Ticket, _ handler: @escaping @Sendable (CloseReason) -> Void)
}

/// What stands behind the protocol: takes a whole request and owes one answer.
///
/// Called on the connection's event loop, so it must not block; work that waits for something else keeps `reply` and answers from there.
public protocol Responder: Sendable {
    /// A request that is never answered keeps its connection for as long as the client holds it: no time-out runs meanwhile.
    func respond(to request: consuming Request, reply: consuming Reply)
}

/// The stream of a reply that cannot have one.
private final class ClosedStream: ResponseStream {
    func send(_ piece: StreamChunk) {}
    func replace(with snapshot: StreamChunk) {}
    func finish() {}
    func onClose(_ handler: @escaping @Sendable (any ResponseStream, CloseReason) -> Void) { handler(self, .notOpened) }
}
