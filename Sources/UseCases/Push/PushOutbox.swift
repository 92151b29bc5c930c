public import MenuGame

/// Where messages wait that are to be sent: put there in the transaction of the change that they tell of. Calls may block and come from one
/// queue at a time.
///
/// It has one message at most for each device and room. A newer stage takes the place of one that was not accepted yet and begins with
/// no attempts; while the older is leased, the newer waits until that is settled or its lease is over, so that no older one
/// overtakes it. What was accepted, given up or superseded never comes again.
public protocol PushOutbox: Sendable {
    /// Messages of `service` that are due, the longest due first. Nobody else is given them before `end`: whoever takes them and dies
    /// leaves them to others.
    ///
    /// - Returns: at most `limit`, and when there will be more; `nil` where nothing waits.
    func lease(_ service: PushService, at now: Instant, until end: Instant, limit: Int) throws(StoreError) -> PushLease

    /// Has the hosts told whose rooms end before `end` and have answers but no result: each once, at most `limit` at a time.
    func warn(expiringBefore end: Instant, at now: Instant, limit: Int) throws(StoreError)

    /// Writes down what came of leased messages. Whatever is no longer waiting as it was leased is left alone, but for its lease, which
    /// ends.
    ///
    /// Whoever is killed afterwards has lost nothing of it. A power cut may take the last of it back: then those messages go out again,
    /// under the same ids, and what they tell of is written down as durably as the rooms are.
    func settle(_ settlements: [PushSettlement]) throws(StoreError)
}

/// What was taken from an outbox.
public struct PushLease: Sendable {
    public let messages: [PushMessage]
    /// When to ask again; not later than now where there is more already.
    public let nextDueAt: Instant?

    public init(messages: [PushMessage], nextDueAt: Instant?) {
        self.messages = messages
        self.nextDueAt = nextDueAt
    }
}

/// What came of one message.
public struct PushSettlement: Sendable {
    public let message: PushMessage.ID
    public let verdict: PushVerdict

    public init(_ message: PushMessage.ID, _ verdict: PushVerdict) {
        self.message = message
        self.verdict = verdict
    }
}

/// What is to become of a message that was tried.
public enum PushVerdict: Hashable, Sendable {
    /// The service has it. Whether the phone ever shows it nobody knows.
    case accepted
    /// It goes out again from `at` on.
    case again(at: Instant, attempts: Int)
    /// It goes out no more.
    case dropped
    /// The device is no longer there: its registration goes, with all that waits for it, unless it has been renewed since this instant.
    case gone(registeredAt: Instant)
}
