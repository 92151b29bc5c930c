public import MenuGame

// What only the host of a room may do. Each is refused with `notHost`.
extension Rooms {
    /// Makes another member the host. Refused with `unknownMember`.
    public func handOver(_ pin: PIN, to member: MemberID, by token: TokenHash, completion: @escaping Completion<PublishedRoom>) {
        change(pin, { completion($0.map(\.1)) }) { room, _ throws(Refusal) in try room.handOver(to: member, by: token) }
    }

    /// Takes a member out for good. Refused with `unknownMember` or `exhausted`.
    public func remove(_ member: MemberID, from pin: PIN, by token: TokenHash, completion: @escaping Completion<PublishedRoom>) {
        change(pin, { completion($0.map(\.1)) }) { room, _ throws(Refusal) in try room.remove(member, by: token) }
    }

    /// Chooses one of the menus of the result. Refused with `notRevealed`, `unknownMenu` or `alreadyDecided`.
    public func decide(on menu: Identifier, in pin: PIN, by token: TokenHash, answering: Answering<PublishedRoom>) {
        change(pin, answering.map(\.1)) { room, _ throws(Refusal) in try room.decide(on: menu, by: token) }
    }

    /// Begins another round. Refused with `notRevealed`, `exhausted` or `badDeadline`.
    ///
    /// - Parameter deadline: the round's own, `.some(nil)` for none; `nil` for the room's, if it is not over.
    public func beginRound(in pin: PIN, by token: TokenHash, deadlineAt deadline: Instant??, answering: Answering<PublishedRoom>) {
        change(pin, answering.map(\.1)) { room, now throws(Refusal) in try room.beginRound(by: token, deadlineAt: deadline, at: now) }
    }

    /// Ends a room and deletes all that it holds: from then on it answers like one that never was.
    public func close(_ pin: PIN, by token: TokenHash, completion: @escaping Completion<Void>) {
        change(pin, { completion($0.map { _ in }) }) { room, _ throws(Refusal) in try room.close(by: token) }
    }
}
