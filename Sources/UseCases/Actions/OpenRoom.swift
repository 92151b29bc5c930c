public import MenuGame

extension Rooms {
    /// Opens a room under a free PIN. The caller is its host and first member.
    ///
    /// - Parameters:
    ///   - deadlineAt: later than now and before the room's end, which is the caller's to check; `nil` for none.
    ///   - pinIsNumber: whether the PIN is to have no zero in front, for clients that take it for a number.
    ///   - answering: may get `noFreePIN`, and `limited` where the caller has opened as many as one may have.
    public func open(
        by token: TokenHash, nickname: Nickname?, revealWhen: RevealPolicy, deadlineAt: Instant?, pinIsNumber: Bool = false,
        answering: Answering<PublishedRoom>
    ) {
        let catalogue = catalogue
        let lifetime = environment.roomLifetime
        writer.add(
            RoomWriter.Job(
                target: .new(by: token, pinIsNumber: pinIsNumber) { pin, id, now in
                    Room(
                        id: id, pin: pin, catalogue: catalogue, host: token, nickname: nickname, revealWhen: revealWhen,
                        deadlineAt: deadlineAt, lifetime: lifetime, at: now)
                }, claim: answering.claim,
                apply: { room, now in answering.applied(to: room, at: now) { $0 } },
                fail: { answering.completion(.failure($0)) }))
    }
}
