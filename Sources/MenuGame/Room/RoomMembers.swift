extension Room {
    /// Lets somebody in. Who is in already stays who they are; `nickname` then renames them unless it is `nil`.
    ///
    /// - Parameter nickname: `.some(nil)` for none.
    /// - Returns: whether they are new.
    /// - Throws: `roomFull` or `removed`, for somebody new.
    public mutating func join(_ token: TokenHash, nickname: Nickname??, at now: Instant) throws(Refusal) -> Bool {
        if let place = places[token] {
            if let nickname, nickname != members[place].nickname {
                members[place].nickname = nickname
                record(.renamed(members[place].id, nickname))
            }
            return false
        }
        try letIn(token, nickname ?? nil, at: now)
        return true
    }

    /// Lets a member out; their submission goes too, and a host hands over to whoever has been there longest. O(members).
    ///
    /// - Throws: `notMember`.
    public mutating func leave(_ token: TokenHash) throws(Refusal) {
        guard let place = places[token] else { throw .notMember }
        let member = members[place]
        take(place, .left(member.id))
        if host == member.id {
            host = members.first?.id
            record(.handedOver(to: host))
        }
    }

    /// Takes a member and their submission out, for what `event` says.
    mutating func take(_ place: Int, _ event: RoomEvent) {
        let member = members.remove(at: place)
        places[member.token] = nil
        for later in place..<members.count { places[members[later].token] = later }
        record(event)
        guard member.submission != nil else { return }
        submissionCount -= 1
        submissionsSequence = sequence
    }

    /// Where in `members` somebody is, who is let in if need be.
    mutating func place(of token: TokenHash, at now: Instant) throws(Refusal) -> Int {
        if let place = places[token] { return place }
        try letIn(token, nil, at: now)
        return members.count - 1
    }

    private mutating func letIn(_ token: TokenHash, _ nickname: Nickname?, at now: Instant) throws(Refusal) {
        guard !removed.contains(token) else { throw .removed }
        guard members.count < Limits.membersPerRoom else { throw .roomFull }
        add(token, nickname, at: now)
    }

    mutating func add(_ token: TokenHash, _ nickname: Nickname?, at now: Instant) {
        memberCounter += 1
        let member = Member(id: MemberID(number: memberCounter), token: token, nickname: nickname, joinedAt: now)
        places[token] = members.count
        members.append(member)
        record(.joined(member))
        if host == nil {
            host = member.id
            // The first member of a new room is its host by being the first; only a room that had been left needs to be told.
            if memberCounter > 1 { record(.handedOver(to: host)) }
        }
    }
}
