/// What a responder answers through: once, from any thread, now or later.
public struct Reply: Sendable {
    private let channel: any ReplyChannel
    private let ticket: ConnectionState.Ticket

    public init(_ channel: any ReplyChannel, _ ticket: ConnectionState.Ticket) {
        self.channel = channel
        self.ticket = ticket
    }

    /// The first answer counts; a later one, or one to a client that has gone, is dropped without a word.
    public func send(_ response: consuming Response) { channel.deliver(response, ticket) }

    /// Answers with a body that stays open. The content of `head`, if it has any, is the first piece of it and goes out together with
    /// the fields. To HEAD only the fields are sent, and the stream is over.
    public func stream(_ head: Response, heartbeat: Heartbeat? = nil) -> any ResponseStream {
        channel.open(head, heartbeat: heartbeat, ticket)
    }

    /// For an answer that waits for something: `handler` is told, at most once and only while the answer is due, that there is no more
    /// point in waiting (`clientGone` or `serverStopping`). The answer is still owed, and the client may be there to read it: one that
    /// has only shut its sending side looks the same. Called by the loop, which it must not block, or here and now.
    public func onInterruption(_ handler: @escaping @Sendable (CloseReason) -> Void) { channel.onInterruption(ticket, handler) }
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
