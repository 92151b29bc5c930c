@testable import HTTP

/// Takes an answer without a connection. Of a stream it takes what goes out at once, and hangs up.
final class ReplyRecorder: ReplyChannel {
    private let take: @Sendable (Response) -> Void

    init(_ take: @escaping @Sendable (Response) -> Void) { self.take = take }

    /// The reply that is recorded here.
    var reply: Reply { Reply(self, ConnectionState.Ticket()) }

    func deliver(_ response: Response, _ ticket: ConnectionState.Ticket) { take(response) }

    func open(_ head: Response, heartbeat: Heartbeat?, _ ticket: ConnectionState.Ticket) -> any ResponseStream {
        take(head)
        return EndedStream()
    }

    func onInterruption(_ ticket: ConnectionState.Ticket, _ handler: @escaping @Sendable (CloseReason) -> Void) {}
}

private final class EndedStream: ResponseStream {
    func send(_ piece: StreamChunk) {}
    func replace(with snapshot: StreamChunk) {}
    func finish() {}
    func onClose(_ handler: @escaping @Sendable (any ResponseStream, CloseReason) -> Void) { handler(self, .clientGone) }
}
