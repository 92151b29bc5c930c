public import MenuGame

/// How a command is answered: as often as it is sent, or once and from then on with what was said first.
public struct Answering<Answer: Sendable>: Sendable {
    enum Way: Sendable {
        case each(Completion<Answer>)
        case once(Once)
    }

    /// What it takes to answer the same again.
    struct Once: Sendable {
        let wish: ReceiptWish
        /// Puts an answer, or the room's refusal, into the form in which it is kept. Called before it is stored.
        let write: @Sendable (Result<Answer, Refusal>) -> [UInt8]
        /// Gives what was kept, the first time too.
        let give: @Sendable ([UInt8]) -> Void
        /// Told where nothing could be kept.
        let failed: @Sendable (Failure) -> Void
    }

    let way: Way

    /// For a command that is carried out as often as it is sent.
    public init(completion: @escaping Completion<Answer>) { way = .each(completion) }

    /// For a command that is carried out once.
    public init(
        _ wish: ReceiptWish, write: @escaping @Sendable (Result<Answer, Refusal>) -> [UInt8], give: @escaping @Sendable ([UInt8]) -> Void,
        failed: @escaping @Sendable (Failure) -> Void
    ) {
        way = .once(Once(wish: wish, write: write, give: give, failed: failed))
    }

    private init(_ way: Way) { self.way = way }

    /// Takes another kind of answer, of which this one's is made.
    func map<Other: Sendable>(_ transform: @escaping @Sendable (Other) -> Answer) -> Answering<Other> {
        switch way {
        case .each(let completion): Answering<Other>(.each { completion($0.map(transform)) })
        case .once(let once):
            Answering<Other>(
                .once(
                    Answering<Other>.Once(
                        wish: once.wish, write: { once.write($0.map(transform)) }, give: once.give, failed: once.failed)))
        }
    }

    func fail(_ failure: Failure) {
        switch way {
        case .each(let completion): completion(.failure(failure))
        case .once(let once): once.failed(failure)
        }
    }

    /// How a command that was carried out before is answered.
    var claim: RoomWriter.Job.Claim? {
        guard case .once(let once) = way else { return nil }
        return RoomWriter.Job.Claim(key: once.wish.key) { receipt in
            if receipt.request == once.wish.request { once.give(receipt.answer) } else { once.failed(.idempotencyKeyReused) }
        }
    }

    /// The answer of a command that has just been applied to `room`, or refused by it.
    ///
    /// - Parameters:
    ///   - isOfRoom: see `Receipt.isOfRoom`.
    ///   - answer: what is said of what the command returned, and of the room.
    func applied<Value: Sendable>(
        _ result: Result<Value, Refusal>, to room: Room, isOfRoom: Bool = true, at now: Instant,
        _ answer: @escaping @Sendable (Value, PublishedRoom) -> Answer
    ) -> RoomWriter.Job.Applied {
        switch (way, result) {
        case (.each(let completion), .success(let value)):
            return RoomWriter.Job.Applied { completion($0.map { answer(value, $0) }) }
        // Also a refusal waits for the commit: it may rest on a change of the same batch.
        case (.each(let completion), .failure(let refusal)):
            return RoomWriter.Job.Applied { completion($0.flatMap { _ in .failure(.refused(refusal)) }) }
        // What it turned away at the door the room has not listened to.
        case (.once(let once), .failure(let refusal)) where refusal.isOfRequest:
            return RoomWriter.Job.Applied { result in
                switch result {
                case .success: once.failed(.refused(refusal))
                case .failure(let failure): once.failed(failure)
                }
            }
        case (.once(let once), _):
            // It is kept as of now, though others may change the room before it is committed.
            let bytes = once.write(result.map { answer($0, PublishedRoom(room)) })
            return RoomWriter.Job.Applied(
                answer: { result in
                    switch result {
                    case .success: once.give(bytes)
                    case .failure(let failure): once.failed(failure)
                    }
                }, receipt: once.wish.receipt(bytes, of: isOfRoom ? room : nil, at: now))
        }
    }
}
