public import MenuGame

extension Rooms {
    /// Opens a room under a free PIN. The caller is its host and first member.
    ///
    /// - Parameters:
    ///   - deadlineAt: later than now and before the room's end, which is the caller's to check; `nil` for none.
    ///   - pinIsNumber: whether the PIN is to have no zero in front, for clients that take it for a number.
    ///   - completion: may get `noFreePIN`.
    public func open(
        by token: TokenHash, nickname: Nickname?, revealWhen: RevealPolicy, deadlineAt: Instant?, pinIsNumber: Bool = false,
        completion: @escaping Completion<PublishedRoom>
    ) {
        let catalogue = catalogue
        let lifetime = environment.roomLifetime
        writer.add(
            RoomWriter.Job(
                target: .new(pinIsNumber: pinIsNumber) { pin, id, now in
                    Room(
                        id: id, pin: pin, catalogue: catalogue, host: token, nickname: nickname, revealWhen: revealWhen,
                        deadlineAt: deadlineAt, lifetime: lifetime, at: now)
                },
                apply: { _, _ in completion },
                fail: { completion(.failure($0)) }))
    }
}
