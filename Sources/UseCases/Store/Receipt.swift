public import MenuGame

/// Who calls an answer their own, and under which key (draft-ietf-httpapi-idempotency-key-header): two devices may use one key.
public struct ReceiptKey: Hashable, Sendable {
    public let owner: TokenHash
    /// Visible ASCII characters, as many as `API.APIBounds` allows.
    public let key: String

    public init(owner: TokenHash, key: String) {
        self.owner = owner
        self.key = key
    }
}

/// The answer to a command as it was first given, kept so that whoever asks for the same again under the same key gets the same bytes. It
/// is written in the transaction of what it answers: there is never one without the other.
public struct Receipt: Hashable, Sendable {
    public let key: ReceiptKey
    /// The keyed hash of all that was asked, to tell a repeat from another request.
    public let request: TokenHash
    /// The answer, in whatever form its maker understands.
    public let answer: [UInt8]
    public let keptAt: Instant
    /// From this instant on it is as if it had never been. One that goes with a room ends at the latest when that would.
    public let expiresAt: Instant
    /// Whether it goes with its room, should that be closed: it may tell of others. The answer to the opening tells of its owner alone.
    public let isOfRoom: Bool

    public init(key: ReceiptKey, request: TokenHash, answer: [UInt8], keptAt: Instant, expiresAt: Instant, isOfRoom: Bool) {
        self.key = key
        self.request = request
        self.answer = answer
        self.keptAt = keptAt
        self.expiresAt = expiresAt
        self.isOfRoom = isOfRoom
    }

    /// Bytes that one takes beside its answer, about.
    public static let overhead = 512

    var size: Int { answer.count + Self.overhead }
}

/// That a command is to be carried out once, however often it is asked for.
public struct ReceiptWish: Sendable {
    public let key: ReceiptKey
    /// See `Receipt.request`.
    public let request: TokenHash

    public init(key: ReceiptKey, request: TokenHash) {
        self.key = key
        self.request = request
    }

    /// - Parameter room: the one that the answer goes with; `nil` where it goes with none.
    func receipt(_ answer: [UInt8], of room: Room?, at now: Instant) -> Receipt {
        let end = now.advanced(by: Bounds.receiptLifetime)
        return Receipt(
            key: key, request: request, answer: answer, keptAt: now, expiresAt: room.map { min($0.expiresAt, end) } ?? end,
            isOfRoom: room != nil)
    }
}
