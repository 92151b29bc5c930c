public import MenuGame

/// Who calls an answer their own, and under which key (draft-ietf-httpapi-idempotency-key-header): two devices may use one key.
public struct ReceiptKey: Hashable, Sendable {
    public let owner: TokenHash
    /// `Limits.idempotencyKey` visible ASCII characters.
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
    /// From this instant on it is as if it had never been. At the latest when its room ends: nothing of a room is kept longer.
    public let expiresAt: Instant

    public init(key: ReceiptKey, request: TokenHash, answer: [UInt8], keptAt: Instant, expiresAt: Instant) {
        self.key = key
        self.request = request
        self.answer = answer
        self.keptAt = keptAt
        self.expiresAt = expiresAt
    }
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

    func receipt(_ answer: [UInt8], until end: Instant, at now: Instant) -> Receipt {
        Receipt(
            key: key, request: request, answer: answer, keptAt: now, expiresAt: min(end, now.advanced(by: Limits.receiptLifetime)))
    }
}

/// How a command is answered. With `keep`, its answer is written down and handed over as it was written, the first time too; only a failure
/// then comes by `completion`.
public struct Answering<Answer: Sendable>: Sendable {
    let completion: Completion<Answer>
    let keep: Keep?

    /// What it takes to answer the same again.
    struct Keep: Sendable {
        let wish: ReceiptWish
        /// Puts an answer into the form in which it is kept. Called before the answer is stored.
        let write: @Sendable (Answer) -> [UInt8]
        /// Gives the answer, as it was kept.
        let give: @Sendable ([UInt8]) -> Void
    }

    /// For a command that is carried out as often as it is sent.
    public init(completion: @escaping Completion<Answer>) {
        self.completion = completion
        keep = nil
    }

    /// For a command that is carried out once.
    public init(
        _ wish: ReceiptWish, write: @escaping @Sendable (Answer) -> [UInt8], give: @escaping @Sendable ([UInt8]) -> Void,
        failed: @escaping @Sendable (Failure) -> Void
    ) {
        completion = { if case .failure(let failure) = $0 { failed(failure) } }
        keep = Keep(wish: wish, write: write, give: give)
    }

    /// Takes another kind of answer, of which this one's is made.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Answer) -> Answering<Other> {
        let completion: Completion<Other> = { [completion] in completion($0.map(transform)) }
        return Answering<Other>(
            completion: completion,
            keep: keep.map { keep in Answering<Other>.Keep(wish: keep.wish, write: { keep.write(transform($0)) }, give: keep.give) })
    }

    private init(completion: @escaping Completion<Answer>, keep: Keep?) {
        self.completion = completion
        self.keep = keep
    }

    /// Gives an answer that was kept, unless it was kept for another request.
    func give(_ receipt: Receipt) {
        guard let keep else { return }
        guard receipt.request == keep.wish.request else { return completion(.failure(.idempotencyKeyReused)) }
        keep.give(receipt.answer)
    }
}
