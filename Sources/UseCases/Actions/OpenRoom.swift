public import MenuGame

extension Rooms {
    /// Opens a room under a free PIN. The caller is its host and first member.
    ///
    /// - Parameters:
    ///   - deadlineAt: later than now and before the room's end, which is the caller's to check; `nil` for none.
    ///   - pinIsNumber: whether the PIN is to have no zero in front, for clients that take it for a number.
    ///   - admit: whether the caller may open one more; asked on the writer's queue, not for a repeat, and again after a lost race.
    ///   - answering: may get `noFreePIN`, and `limited` where the caller has opened as many as one may have.
    public func open(
        by token: TokenHash, nickname: Nickname?, revealWhen: RevealPolicy, deadlineAt: Instant?, pinIsNumber: Bool = false,
        admit: @escaping @Sendable () -> Failure? = { nil }, answering: Answering<PublishedRoom>
    ) {
        let lifetime = settings.lifetime
        writer.add(
            RoomWriter.Job(
                target: .new(
                    RoomWriter.Job.Opening(opener: token, pinIsNumber: pinIsNumber, admit: admit) { [library] pin, id, now in
                        // The one that the writer has now: a former one may no longer be kept.
                        Room(
                            id: id, pin: pin, catalogue: library.current, host: token, nickname: nickname, revealWhen: revealWhen,
                            deadlineAt: deadlineAt, lifetime: lifetime, at: now)
                    }), claim: answering.claim,
                apply: { room, now in answering.applied(.success(()), to: room, isOfRoom: false, at: now) { $1 } },
                fail: answering.fail))
    }
}
