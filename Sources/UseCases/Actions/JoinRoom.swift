public import MenuGame

extension Rooms {
    /// Lets somebody into a room, or renames them. Refused with `roomFull`.
    ///
    /// - Parameter nickname: `nil` leaves it as it is, `.some(nil)` takes it away.
    /// - Parameter completion: gets whether they are new.
    public func join(
        _ pin: PIN, as token: TokenHash, nickname: Nickname??, completion: @escaping Completion<(isNew: Bool, room: PublishedRoom)>
    ) {
        change(pin, { completion($0.map { (isNew: $0.0, room: $0.1) }) }) { room, now throws(Refusal) in
            try room.join(token, nickname: nickname, at: now)
        }
    }

    /// Lets a member out; their submission goes with them. Refused with `notMember`.
    public func leave(_ pin: PIN, as token: TokenHash, completion: @escaping Completion<PublishedRoom>) {
        change(pin, { completion($0.map(\.1)) }) { room, _ throws(Refusal) in
            try room.leave(token)
        }
    }
}
