public import MenuGame

/// A look at all that a store holds, while servers may be using it. Everything is read as of one moment. Calls may block.
public protocol StoreInspection {
    /// What is wrong with the database itself and with its references; empty where all is well. Reads all of it.
    func faults() throws(StoreError) -> [String]

    /// The PINs of all rooms, those too that have expired and were not swept yet.
    func pins() throws(StoreError) -> [PIN]

    /// A room as it is kept; `nil` where there is none.
    func room(_ pin: PIN) throws(StoreError) -> RoomRecord?

    /// The receipts that go with a room; of no room where it is `nil`.
    func receipts(in room: Identifier?) throws(StoreError) -> [Receipt]

    /// How devices want to be told.
    func devices() throws(StoreError) -> [PushDevice]

    /// See `RoomStore`.
    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]?

    /// What tells the key that the members are known under from others; `nil` where no server has used the store yet.
    func keyFingerprint() throws(StoreError) -> [UInt8]?
}

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
