import MenuGame
import TestSupport
import Testing
import UseCases

/// A store that keeps what phones are to be told.
typealias PushStore = PushOutbox & PushRegistry & RoomStore

/// What every store does with what phones are to be told.
@Suite("The outbox of a store", .sharesPostgres, .explainsPostgres, .blocks) struct PushContract {
    private let now = Sample.now

    /// A room with a host (token 1) and as many members.
    private func open(_ store: any PushStore, _ name: String = "r_1", members: Int = 3, lifetime: Int64 = Limits.roomLifetime) throws
        -> Room
    {
        var room = Sample.room(name, pin: try Sample.pin(Int(name.dropFirst(2)) ?? 0), lifetime: lifetime)
        for number in stride(from: 2, through: members, by: 1) { _ = try room.join(Sample.token(number), nickname: nil, at: now) }
        try store.create(&room)
        return room
    }

    /// Does something to a room and has it told of as `stage`.
    private func tell(
        _ store: any PushStore, _ room: inout Room, _ stage: PushStage, at instant: Instant? = nil, _ body: (inout Room) throws -> Void
    ) throws {
        let sequence = room.sequence
        try body(&room)
        let events = room.takeEvents()
        let notice = PushNotice(
            room: room.id, sequence: room.sequence, stage: stage, phase: room.phase, memberCount: room.members.count,
            submissionCount: room.submissionCount, at: instant ?? now, expiresAt: (instant ?? now).advanced(by: 3_600_000))
        #expect(try store.commit([RoomChange(room: room, basedOn: sequence, events: events, notice: notice)]) == [.stored])
    }

    private func submit(_ number: Int) -> (inout Room) throws -> Void {
        { _ = try $0.submit(try Sample.sheet(), by: Sample.token(number), at: Sample.now) }
    }

    private func device(
        _ owner: Int, _ token: String? = nil, _ platform: PushPlatform = .apns, room: Room? = nil, at instant: Instant? = nil,
        language: Language = .ko
    ) -> PushRegistryChange {
        let at = instant ?? now
        return .register(
            PushDevice(
                owner: Sample.token(owner), platform: platform, pushToken: token ?? "token-\(owner)", language: language, room: room?.id,
                at: at,
                expiresAt: at.advanced(by: 86_400_000)))
    }

    private func take(
        _ store: any PushStore, _ service: PushService = .apns, at instant: Instant? = nil, limit: Int = 100
    ) throws -> [PushMessage] {
        let at = instant ?? now
        return try store.lease(service, at: at, until: at.advanced(by: 60_000), limit: limit).messages
    }

    private func tokens(_ messages: [PushMessage]) -> Set<String> { Set(messages.map(\.registration.pushToken)) }

    @Test("has what is to be told for those whom it concerns, on the services that reach them", arguments: StoreUnderTest.all)
    func audiences(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            var other = try open(store, "r_2", members: 1)
            try store.apply([
                device(1), device(1, "another", .fcm, language: .en), device(2), device(3, "live", .liveActivity, room: room),
                device(9, "stranger"), device(9, "elsewhere", .liveActivity, room: other),
            ])
            #expect(try take(store) == [])
            try tell(store, &room, .allSubmitted, submit(2))
            // The host's, and live activities of the room.
            let messages = try take(store)
            #expect(tokens(messages) == ["token-1", "live"])
            let notice = try #require(messages.first?.notice)
            #expect(notice.room == room.id && notice.sequence == room.sequence && notice.stage == .allSubmitted)
            #expect(notice.memberCount == 3 && notice.submissionCount == 1 && notice.phase == .open && notice.at == now)
            #expect(notice.expiresAt == now.advanced(by: 3_600_000))
            let google = try take(store, .fcm)
            #expect(tokens(google) == ["another"])
            #expect(google.first?.registration.language == .en)
            #expect(google.first?.registration.platform == .fcm)
            #expect(google.first?.registration.registeredAt == now)
            for message in messages + google { try store.settle([PushSettlement(message.id, .accepted)]) }

            try tell(store, &room, .revealed) { try $0.showResult(at: now) }
            #expect(tokens(try take(store)) == ["token-1", "token-2", "live"])
            try tell(store, &other, .over, submit(1))
            #expect(tokens(try take(store)) == ["elsewhere"])
        }
    }

    @Test("tells of nothing that was not stored", arguments: StoreUnderTest.all) func conflict(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1)])
            let notice = PushNotice(
                room: room.id, sequence: 99, stage: .revealed, phase: .open, memberCount: 1, submissionCount: 0, at: now,
                expiresAt: now.advanced(by: 1000))
            _ = try room.join(Sample.token(8), nickname: nil, at: now)
            let change = RoomChange(room: room, basedOn: room.sequence + 5, events: room.takeEvents(), notice: notice)
            #expect(try store.commit([change]) == [.conflict])
            #expect(try take(store) == [])
        }
    }

    @Test("gives a message to one at a time, and to others when the lease is over", arguments: StoreUnderTest.all)
    func leases(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1), device(2), device(3)])
            try tell(store, &room, .revealed, submit(1))
            let until = now.advanced(by: 60_000)
            let first = try store.lease(.apns, at: now, until: until, limit: 2)
            #expect(first.messages.count == 2)
            let second = try store.lease(.apns, at: now, until: until, limit: 100)
            #expect(second.messages.count == 1)
            #expect(tokens(first.messages + second.messages).count == 3)
            #expect(second.nextDueAt == until)
            #expect(try take(store) == [])
            #expect(try take(store, at: until.advanced(by: -1)) == [])
            let again = try take(store, at: until)
            #expect(Set(again.map(\.id)) == Set((first.messages + second.messages).map(\.id)))
            #expect(again.allSatisfy { $0.attempts == 0 })
        }
    }

    @Test("tells how many messages wait, those too that somebody is sending", arguments: StoreUnderTest.all)
    func figures(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            func waiting() throws -> [PushService: Int] {
                let figures = try #require(store as? any MeasuredStore).figures(at: now)
                return Dictionary(figures.push.map { ($0.service, $0.count) }) { $0 + $1 }
            }
            var room = try open(store)
            try store.apply([device(1), device(2), device(3, "another", .fcm)])
            try tell(store, &room, .revealed, submit(1))
            let messages = try take(store)
            #expect(try waiting() == [.apns: 2, .fcm: 1])
            try store.settle(messages.map { PushSettlement($0.id, .accepted) })
            #expect(try waiting() == [.apns: 0, .fcm: 1])
        }
    }

    @Test("keeps what came of a message", arguments: StoreUnderTest.all) func settles(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store, members: 5)
            try store.apply((1...5).map { device($0) })
            try tell(store, &room, .revealed, submit(1))
            let messages = try take(store).sorted { $0.registration.pushToken < $1.registration.pushToken }
            let later = now.advanced(by: 5000)
            try store.settle([
                PushSettlement(messages[0].id, .accepted), PushSettlement(messages[1].id, .dropped),
                PushSettlement(messages[2].id, .again(at: later, attempts: 3)),
                PushSettlement(messages[3].id, .gone(registeredAt: messages[3].registration.registeredAt)),
            ])
            #expect(try store.lease(.apns, at: now, until: later, limit: 10).nextDueAt == later)
            let again = try take(store, at: later)
            #expect(tokens(again) == ["token-3"])
            #expect(again.first?.attempts == 3)
            // The one whose lease is over, and that alone: what was settled stays so, whoever says what.
            try store.settle([PushSettlement(messages[0].id, .again(at: now, attempts: 1))])
            #expect(tokens(try take(store, at: now.advanced(by: 60_000))) == ["token-5"])
            // Who is gone hears of nothing any more.
            try tell(store, &room, .decided, submit(2))
            #expect(tokens(try take(store, at: now.advanced(by: 200_000))) == ["token-1", "token-2", "token-3", "token-5"])
        }
    }

    @Test("forgets no device that has said again that it is there", arguments: StoreUnderTest.all)
    func renewed(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply((1...3).map { device($0) })
            try tell(store, &room, .revealed, submit(1))
            let messages = try take(store)
            try store.apply([device(2, at: now.advanced(by: 1))])
            try store.settle(messages.map { PushSettlement($0.id, .gone(registeredAt: $0.registration.registeredAt)) })
            #expect(tokens(try take(store, at: now.advanced(by: 60_000))) == ["token-2"])
        }
    }

    @Test("has a newer stage in place of an older, with no attempts, and no older one any more", arguments: StoreUnderTest.all)
    func supersedes(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply((1...3).map { device($0) })
            try tell(store, &room, .revealed, submit(1))
            let messages = try take(store)
            let later = now.advanced(by: 50_000)
            try store.settle(messages.map { PushSettlement($0.id, .again(at: later, attempts: 2)) })
            try tell(store, &room, .allSubmitted, submit(2))
            // For the host alone: the others are told no older stage either.
            let newer = try take(store)
            #expect(tokens(newer) == ["token-1"])
            #expect(newer.first?.attempts == 0)
            #expect(newer.first?.notice.stage == .allSubmitted)
            #expect(try take(store, at: later).isEmpty)
        }
    }

    @Test("keeps a newer stage back until the older is no longer on its way", arguments: StoreUnderTest.all)
    func order(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1), device(2)])
            try tell(store, &room, .revealed, submit(1))
            let older = try take(store)
            #expect(older.count == 2)
            try tell(store, &room, .decided, submit(2))
            #expect(try take(store) == [])
            // Whatever came of the older, the newer is due now.
            try store.settle([PushSettlement(older[0].id, .again(at: now.advanced(by: 900_000), attempts: 1))])
            let newer = try take(store)
            #expect(newer.map(\.registration.id) == [older[0].registration.id])
            #expect(newer.first?.notice.stage == .decided)
            // Of the other nobody has said anything, and its lease ends.
            #expect(try take(store, at: now.advanced(by: 60_000)).contains { $0.registration.id == older[1].registration.id })
        }
    }

    @Test("goes by which stage is newer, not by which was written last", arguments: StoreUnderTest.all)
    func stale(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1)])
            try tell(store, &room, .decided, submit(1))
            let sequence = room.sequence
            let stale = PushNotice(
                room: room.id, sequence: sequence, stage: .revealed, phase: .revealed, memberCount: 3, submissionCount: 1, at: now,
                expiresAt: now.advanced(by: 1000))
            try submit(2)(&room)
            #expect(try store.commit([RoomChange(room: room, basedOn: sequence, events: room.takeEvents(), notice: stale)]) == [.stored])
            #expect(try take(store).map(\.notice.stage) == [.decided])
        }
    }

    @Test("gets to every device of a large room, each once", arguments: StoreUnderTest.all) func large(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store, members: 500)
            var changes: [PushRegistryChange] = []
            for number in 1...500 { for place in 0..<2 { changes.append(device(number, "token-\(number)-\(place)")) } }
            try store.apply(changes)
            try tell(store, &room, .revealed, submit(1))
            var seen: [String] = []
            for _ in 0..<100 where seen.count < 1000 {
                let messages = try take(store, limit: 64)
                seen += messages.map(\.registration.pushToken)
                try store.settle(messages.map { PushSettlement($0.id, .accepted) })
            }
            #expect(seen.count == 1000)
            #expect(Set(seen).count == 1000)
            #expect(try take(store) == [])
        }
    }

    @Test("has the hosts told once whose rooms end soon with answers and no result", arguments: StoreUnderTest.all)
    func warnings(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            let soon = now.advanced(by: 10_000)
            var rooms = try (1...4).map { try open(store, "r_\($0)", members: 2, lifetime: 10_000) }
            try store.apply((1...2).map { device($0) })
            for index in 1...3 { try store.check(&rooms[index], submit(2)) }
            try store.check(&rooms[3]) { try $0.showResult(at: now) }
            try store.warn(expiringBefore: soon.advanced(by: -1), at: now, limit: 10)
            #expect(try take(store) == [])
            // The first has no answers, the last a result.
            for _ in 0..<3 { try store.warn(expiringBefore: soon, at: now, limit: 1) }
            let messages = try take(store)
            #expect(Set(messages.map(\.notice.room)) == [rooms[1].id, rooms[2].id])
            #expect(tokens(messages) == ["token-1"])
            let notice = try #require(messages.first { $0.notice.room == rooms[1].id }?.notice)
            #expect(notice.stage == .expiring && notice.sequence == rooms[1].sequence && notice.expiresAt == soon)
            #expect(notice.memberCount == 2 && notice.submissionCount == 1)
        }
    }

    @Test("tells the live activities of a room that has expired that it is over", arguments: StoreUnderTest.all)
    func ends(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var decided = try open(store, "r_1", lifetime: 1000)
            let open = try open(store, "r_2", lifetime: 1000)
            try store.apply([
                device(1), device(1, "live-1", .liveActivity, room: decided), device(2, "live-2", .liveActivity, room: open),
            ])
            try store.check(&decided, submit(1))
            try store.check(&decided) { try $0.showResult(at: now) }
            let menu = try #require(decided.result?.outcome.menus.first?.id)
            try store.check(&decided) { try $0.decide(on: menu, by: Sample.token(1)) }
            let later = now.advanced(by: 1000)
            #expect(try store.deleteExpired(at: later, limit: 10).count == 2)
            let messages = try take(store, at: later)
            #expect(tokens(messages) == ["live-2"])
            #expect(messages.first?.notice.stage == .over)
            #expect(messages.first?.notice.memberCount == 3)
        }
    }

    @Test("knows a push token as the device's that registered it last, and keeps the newest of each", arguments: StoreUnderTest.all)
    func registrations(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1, "mine"), device(2, "mine")])
            try tell(store, &room, .allSubmitted, submit(2))
            #expect(try take(store) == [])
            // It goes with what waits for it.
            try store.apply([device(1, "mine"), device(1, "mine", language: .en)])
            try tell(store, &room, .revealed, submit(1))
            try store.apply([device(9, "mine")])
            #expect(try take(store) == [])
            let most = Bounds.registrationsPerToken
            try store.apply((0...most).map { device(1, "token-\($0)", at: now.advanced(by: Int64($0))) })
            try tell(store, &room, .decided, submit(3))
            #expect(tokens(try take(store, at: now.advanced(by: 1000))) == Set((1...most).map { "token-\($0)" }))
            try store.apply([.unregister(Sample.token(1))])
            #expect(try take(store, at: now.advanced(by: 200_000)) == [])
        }
    }

    @Test("knows a registration that is renewed as the same", arguments: StoreUnderTest.all) func renewal(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1)])
            try tell(store, &room, .allSubmitted, submit(2))
            let message = try #require(try take(store).first)
            let later = now.advanced(by: 1000)
            try store.apply([device(1, at: later, language: .en)])
            try tell(store, &room, .revealed, submit(1))
            let newer = try #require(try take(store, at: now.advanced(by: 60_000)).first)
            #expect(newer.registration.id == message.registration.id)
            #expect(newer.registration.registeredAt == later)
            #expect(newer.registration.language == .en)
        }
    }

    @Test("forgets what nobody renews and what is worth nothing any more", arguments: StoreUnderTest.all)
    func idle(kind: StoreUnderTest) throws {
        try kind.runPush { store in
            var room = try open(store)
            try store.apply([device(1)] + (2...5).map { device($0, at: now.advanced(by: -86_400_000)) })
            try tell(store, &room, .revealed, submit(1))
            #expect(try store.deleteIdle(at: now, limit: 3) == 3)
            #expect(try store.deleteIdle(at: now, limit: 3) == 1)
            #expect(try store.deleteIdle(at: now, limit: 3) == 0)
            #expect(tokens(try take(store)) == ["token-1"])
            let end = now.advanced(by: 3_600_000)
            #expect(try store.deleteIdle(at: end, limit: 3) == 1)
            #expect(try store.lease(.apns, at: end, until: end, limit: 10).nextDueAt == nil)
        }
    }
}

extension StoreUnderTest {
    func runPush(_ body: (any PushStore) throws -> Void) throws {
        try run { store in try body(try #require(store as? any PushStore)) }
    }
}
