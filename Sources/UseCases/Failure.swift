public import MenuGame

/// Why a request was not carried out.
public enum Failure: Error, Hashable, Sendable {
    /// The room says no. Nothing has changed.
    case refused(Refusal)
    /// There is no such room, or it has expired: nobody is told which.
    case roomNotFound
    /// Another request had this idempotency key before.
    case idempotencyKeyReused
    /// The caller has had as much of this as anybody may have at a time; after that time there may be room again.
    case limited(retryAfter: Duration)
    /// The caller has as many rooms as anybody may have at a time; after that time the first of them ends.
    case tooManyRooms(untilFirstEnds: Duration)
    /// So many rooms are live that no free PIN was found.
    case noFreePIN
    /// The store cannot be written or read just now, or more work is waiting than can be done soon.
    case storeUnavailable
    /// The server is on its way out.
    case shuttingDown
}

extension Failure {
    /// As many answers are kept as may be. How long it takes until one is forgotten is not worth finding out.
    static let tooManyReceipts = Failure.limited(retryAfter: .seconds(3600))
}

/// How an answer comes back: once, on any queue, which it must not block.
public typealias Completion<Answer> = @Sendable (Result<Answer, Failure>) -> Void
