import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("Devices that several servers are told of") struct DevicesTests {
    private func device(_ owner: Int, _ token: String, at instant: Int64 = 0, room: Room? = nil) -> PushRegistryChange {
        let at = Sample.now.advanced(by: instant)
        return .register(
            PushDevice(
                owner: Sample.token(owner), platform: room == nil ? .apns : .liveActivity, pushToken: token, language: .ko, room: room?.id,
                at: at, expiresAt: at.advanced(by: 86_400_000)))
    }

    private func tokens(of owner: Int, in servers: Servers) throws -> [String] {
        try servers.first.read { connection throws(StoreError) in
            try connection.run("SELECT push_token FROM device WHERE owner = \(Sample.token(owner)) ORDER BY 1", within: .seconds(60))
                .all { $0.text() }
        }
    }

    @Test("are registered at once by all of them, in whatever order, and none is refused") func atOnceInAnyOrder() async throws {
        let servers = try Servers()
        let results = try await atOnce(0..<4) { thread in
            for round in 0..<8 {
                var changes = (0..<120).map { device($0 % 60 + (thread + round) % 3, "token \($0)", at: Int64(round)) }
                changes += (0..<6).map { .unregister(Sample.token(10 * $0)) }
                try servers.stores[thread % 2].apply(changes.shuffled())
            }
            return true
        }
        #expect(results.count == 4)
        // Every token has one owner, and nobody more than allowed.
        #expect(try servers.schema.run("SELECT count(*) = count(DISTINCT push_token) AND count(*) > 0 FROM device") == ["t"])
    }

    @Test("are what they would be had the changes come one by one", arguments: 0..<20) func sameMeaning(seed: Int) throws {
        let (together, apart) = (try Servers(1), try Servers(1))
        var random = SeededRandom(random: TestRandom(seed: UInt64(seed)))
        var changes: [PushRegistryChange] = []
        for number in 0..<40 {
            let owner = Int.random(in: 1...4, using: &random)
            let forgets = Int.random(in: 0..<4, using: &random) == 0
            changes.append(
                forgets
                    ? .unregister(Sample.token(owner)) : device(owner, "token \(Int.random(in: 1...6, using: &random))", at: Int64(number)))
        }
        for servers in [together, apart] { try servers.first.apply([device(1, "token 1"), device(2, "token 2"), device(3, "other")]) }
        try together.first.apply(changes)
        for change in changes { try apart.first.apply([change]) }
        for owner in 1...4 { #expect(try tokens(of: owner, in: together) == tokens(of: owner, in: apart)) }
    }

    @Test("forget the owner before, too, of one whose new owner is forgotten at the same time") func takenOver() throws {
        let servers = try Servers(1)
        try servers.first.apply([device(1, "phone"), device(1, "tablet")])
        try servers.first.apply([device(2, "phone"), .unregister(Sample.token(2))])
        #expect(try tokens(of: 1, in: servers) == ["tablet"])
        #expect(try tokens(of: 2, in: servers) == [])
    }

    @Test("hear that a room is over whose PIN another room has taken") func over() throws {
        let servers = try Servers(1)
        let store = servers.first
        var old = Sample.room("r_1", pin: try Sample.pin(1), lifetime: 1000)
        try store.create(&old)
        try store.apply([device(1, "live", room: old)])
        let later = Sample.now.advanced(by: 1000)
        var new = Sample.room("r_2", pin: old.pin, at: later)
        #expect(try store.commit([new.change(basedOn: nil)]) == [.stored])
        #expect(try servers.schema.run("SELECT id FROM room") == ["r_2"])
        let messages = try store.lease(.apns, at: later, until: later.advanced(by: 1000), limit: 10).messages
        #expect(messages.map(\.notice.stage) == [.over] && messages.map(\.registration.pushToken) == ["live"])
    }

    @Test("are told once each, however many servers look them up and send at once") func onceEach() async throws {
        let servers = try Servers()
        // More members than are looked up at a time.
        let members = 300
        try servers.first.apply((1...members).map { device($0, "token \($0)") })
        for number in 1...3 {
            var room = Sample.room("r_\(number)", pin: try Sample.pin(number))
            for member in 2...members { _ = try room.join(Sample.token(member), nickname: nil, at: Sample.now) }
            try servers.first.create(&room)
            let sequence = room.sequence
            _ = try room.submit(try Sample.sheet(), by: Sample.token(1), at: Sample.now)
            let notice = PushNotice(
                room: room.id, sequence: room.sequence, stage: .revealed, phase: .revealed, memberCount: members, submissionCount: 1,
                at: Sample.now, expiresAt: Sample.now.advanced(by: 3_600_000))
            let change = RoomChange(room: room, basedOn: sequence, events: room.takeEvents(), notice: notice)
            #expect(try servers.first.commit([change]) == [.stored])
        }
        let end = Sample.now.advanced(by: 60_000)
        let told = try await atOnce(0..<4) { thread in
            let store = servers.stores[thread % 2]
            var told: [PushMessage.ID] = []
            while true {
                let lease = try store.lease(.apns, at: Sample.now, until: end, limit: 32)
                told += lease.messages.map(\.id)
                try store.settle(lease.messages.map { PushSettlement($0.id, .accepted) })
                if lease.messages.isEmpty, lease.nextDueAt.map({ $0 > Sample.now }) ?? true { return told }
            }
        }.flatMap { $0 }
        #expect(told.count == 3 * members && Set(told).count == told.count)
        #expect(try servers.schema.run("SELECT count(*) FROM push_message") == ["0"])
    }

    @Test("are settled and looked up at once without one being in the other's way") func settled() async throws {
        let servers = try Servers()
        let rooms = try (1...30).map { try servers.room($0) }
        try servers.first.apply((1...40).map { device(1, "token \($0)") })
        let results = try await atOnce(0..<4) { thread in
            let store = servers.stores[thread % 2]
            for round in 0..<8 {
                let at = Sample.now.advanced(by: Int64(1000 * round))
                if thread < 2 {
                    try store.write { connection throws(StoreError) in
                        for room in rooms {
                            _ = try connection.write(
                                [
                                    .keepNotices(
                                        """
                                        SELECT \(room.id), \(Int64(round * 2 + thread + 1)), 1, 'revealed', 'revealed', 1, 1, \(at),
                                          \(at.advanced(by: 3_600_000))
                                        """)
                                ], within: .seconds(60))
                        }
                    }
                }
                let messages = try store.lease(.apns, at: at, until: at.advanced(by: 500), limit: 500).messages
                try store.settle(messages.shuffled().map { PushSettlement($0.id, .again(at: at, attempts: 1)) })
            }
            return true
        }
        #expect(results.count == 4)
    }
}

private struct SeededRandom: RandomNumberGenerator {
    let random: TestRandom

    func next() -> UInt64 { random.next() }
}
