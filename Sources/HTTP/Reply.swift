/// What a responder answers through: once, from any thread, now or later.
public struct Reply: Sendable {
    private let deliver: @Sendable (Response) -> Void

    public init(_ deliver: @escaping @Sendable (Response) -> Void) { self.deliver = deliver }

    public func send(_ response: consuming Response) { deliver(response) }
}

/// What stands behind the protocol: takes a whole request and owes one answer.
///
/// Called on the connection's event loop, so it must not block; work that waits for something else keeps `reply` and answers from there.
public protocol Responder: Sendable {
    func respond(to request: Request, reply: Reply)
}
