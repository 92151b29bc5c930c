public import MenuGame

extension RoomChange {
    /// What opens a room as it is in a store that has nothing of it yet.
    public init(copying room: Room, receipts: [Receipt]) {
        var events = room.members.map { member in
            RoomEvent.joined(Member(id: member.id, token: member.token, nickname: member.nickname, joinedAt: member.joinedAt))
        }
        for member in room.members { if let submission = member.submission { events.append(.submitted(submission, by: member.id)) } }
        // Those who were removed are in no store as members any more: they come and go once more, under numbers that nobody has.
        for (number, token) in zip((room.memberCounter + 1)..., room.removed) {
            let id = MemberID(number: number)
            events.append(.joined(Member(id: id, token: token, nickname: nil, joinedAt: room.createdAt)))
            events.append(.removed(id, token))
        }
        for result in room.results {
            events.append(.revealed(result))
            if let menu = result.decision { events.append(.decided(menu, round: result.round)) }
        }
        self.init(room: room, basedOn: nil, events: events, receipts: receipts)
    }
}
