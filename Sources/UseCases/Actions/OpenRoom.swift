public import MenuGame

extension Rooms {
    /// Opens a room under a free PIN. The caller is its host and first member.
    ///
    /// - Parameters:
    ///   - deadlineAt: later than now and before the room's end, which is the caller's to check; `nil` for none.
    ///   - completion: may get `noFreePIN`.
    public func open(
        by token: TokenHash, nickname: Nickname?, revealWhen: RevealPolicy, deadlineAt: Instant?,
        completion: @escaping Completion<PublishedRoom>
    ) {
        let catalogue = catalogue
        let lifetime = environment.roomLifetime
        writer.add(
            RoomWriter.Job(
                target: .new { pin, id, now in
                    Room(
                        id: id, pin: pin, catalogue: catalogue, host: token, nickname: nickname, revealWhen: revealWhen,
                        deadlineAt: deadlineAt, lifetime: lifetime, at: now)
                },
                apply: { _, _ in completion },
                fail: { completion(.failure($0)) }))
    }
}
