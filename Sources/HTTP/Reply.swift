/// What a responder answers through: once, from any thread, now or later.
public struct Reply: Sendable {
    private let deliver: @Sendable (Response) -> Void

    /// - Parameter deliver: has to take a second answer too, and drop it (`ConnectionState.answer`).
    public init(_ deliver: @escaping @Sendable (Response) -> Void) { self.deliver = deliver }

    /// The first answer counts; a later one, or one to a client that has gone, is dropped without a word.
    public func send(_ response: consuming Response) { deliver(response) }
}

/// What stands behind the protocol: takes a whole request and owes one answer.
///
/// Called on the connection's event loop, so it must not block; work that waits for something else keeps `reply` and answers from there.
public protocol Responder: Sendable {
    /// A request that is never answered keeps its connection for as long as the client holds it: no time-out runs meanwhile.
    func respond(to request: Request, reply: Reply)
}
