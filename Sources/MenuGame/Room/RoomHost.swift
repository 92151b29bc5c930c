extension Room {
    /// Makes another member the host.
    ///
    /// - Throws: `notHost`, `unknownMember`.
    public mutating func handOver(to member: MemberID, by token: TokenHash) throws(Refusal) {
        try requireHost(token)
        guard members.contains(where: { $0.id == member }) else { throw .unknownMember }
        guard host != member else { return }
        host = member
        record(.handedOver(to: member))
    }

    /// Takes a member out for good: their submission goes too, and their token may not come back. A host who names themself leaves, as
    /// anybody may, and can come back. Somebody who has left already is let go: that is no fault. O(members).
    ///
    /// - Throws: `notHost`; `unknownMember` for a number that nobody ever had; `exhausted`.
    public mutating func remove(_ member: MemberID, by token: TokenHash) throws(Refusal) {
        try requireHost(token)
        guard (1...memberCounter).contains(member.number) else { throw .unknownMember }
        guard member != host else { return try leave(token) }
        guard let place = members.firstIndex(where: { $0.id == member }) else { return }
        guard removed.count < Limits.removedPerRoom else { throw .exhausted }
        removed.insert(members[place].token)
        take(place, .removed(member, members[place].token))
    }

    /// Chooses one of the menus of the round's result. The same again is fine.
    ///
    /// - Throws: `notHost`, `notRevealed`, `unknownMenu`, `alreadyDecided`.
    public mutating func decide(on menu: Identifier, by token: TokenHash) throws(Refusal) {
        try requireHost(token)
        guard let index = results.lastIndex(where: { $0.round == round }) else { throw .notRevealed }
        guard results[index].outcome.menus.contains(where: { $0.id == menu }) else { throw .unknownMenu }
        if let decision = results[index].decision {
            guard decision == menu else { throw .alreadyDecided }
            return
        }
        results[index].decision = menu
        record(.decided(menu, round: round))
    }

    /// Begins another round with the same members: nobody has submitted, and menus that were shown before come last.
    ///
    /// - Parameter deadline: the round's, `.some(nil)` for none; `nil` for the one that the room has, if it is not over.
    /// - Throws: `notHost`; `notRevealed`, for the round that is being played is to be finished first; `exhausted`; `badDeadline`.
    public mutating func beginRound(by token: TokenHash, deadlineAt deadline: Instant?? = nil, at now: Instant) throws(Refusal) {
        try requireHost(token)
        guard phase != .open else { throw .notRevealed }
        guard round < Limits.roundsPerRoom else { throw .exhausted }
        if let deadline = deadline ?? nil { guard deadline > now, deadline < expiresAt else { throw .badDeadline } }
        deadlineAt = deadline ?? deadlineAt.flatMap { $0 > now ? $0 : nil }
        round += 1
        for place in members.indices { members[place].submission = nil }
        submissionCount = 0
        record(.roundBegan(round))
        submissionsSequence = sequence
    }

    /// Ends the room. It is to be used for nothing more.
    ///
    /// - Throws: `notHost`.
    public mutating func close(by token: TokenHash) throws(Refusal) {
        try requireHost(token)
        isClosed = true
        record(.closed)
    }

    private func requireHost(_ token: TokenHash) throws(Refusal) {
        guard let member = member(token), isHost(member.id) else { throw .notHost }
    }
}
