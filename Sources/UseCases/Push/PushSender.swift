public import MenuGame

/// A service that messages are given to.
public protocol PushSender: Sendable {
    var service: PushService { get }

    /// Gives it a message and calls `completion` once, on any queue. It never blocks.
    ///
    /// - Parameter now: the wall clock, for what the service is told of time.
    func send(_ message: PushMessage, at now: Instant, completion: @escaping @Sendable (PushOutcome) -> Void)
}

/// What a service made of a message.
public enum PushOutcome: Hashable, Sendable {
    case accepted
    /// The token is no longer anybody's, since then where the service says so.
    case gone(since: Instant?)
    /// It takes this message never, for a reason in the service's own word.
    case rejected(String)
    /// It may take it later.
    ///
    /// - Parameters:
    ///   - after: not sooner, where that is known.
    ///   - troubled: whether it is the service that cannot, and not this device.
    case again(after: Duration?, troubled: Bool, String)
    /// It does not know us: it takes nothing until the operator has changed something.
    case unauthorized(String)
}
