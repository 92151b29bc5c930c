import MenuGame
import TestSupport
import Testing
import UseCases

@testable import SQLiteStore

@Suite("What a file keeps of messages to phones") struct PushTests {
    /// A room that has reached a stage, with so many devices of its host.
    private func reveal(_ store: SQLiteStore, devices: Int) throws -> Room {
        var room = Sample.room("r_1", pin: try Sample.pin(1))
        try store.create(&room)
        try store.apply(
            (0..<devices).map { number in
                .register(
                    PushDevice(
                        owner: Sample.token(1), platform: .apns, pushToken: "token-\(number)", language: .ko, room: nil, at: Sample.now,
                        expiresAt: Sample.now.advanced(by: 86_400_000)))
            })
        try tell(store, &room)
        return room
    }

    private func tell(_ store: SQLiteStore, _ room: inout Room, by member: Int = 1) throws {
        let sequence = room.sequence
        _ = try room.submit(try Sample.sheet(), by: Sample.token(member), at: Sample.now)
        let notice = PushNotice(
            room: room.id, sequence: room.sequence, stage: .revealed, phase: .open, memberCount: 1, submissionCount: 1, at: Sample.now,
            expiresAt: Sample.now.advanced(by: 3_600_000))
        #expect(
            try store.commit([RoomChange(room: room, basedOn: sequence, events: room.takeEvents(), notice: notice)]) == [.stored])
    }

    private func take(_ store: SQLiteStore, limit: Int = 100) throws -> [PushMessage] {
        try store.lease(.apns, at: Sample.now, until: Sample.now.advanced(by: 60_000), limit: limit).messages
    }

    /// How the connection that writes syncs, and whether what comes next is written by one that was just opened.
    private func durability(_ store: SQLiteStore) throws -> String? {
        try store.write { connection throws(StoreError) in try connection.first("PRAGMA synchronous") { $0.text() } }
    }

    @Test("gives out what it has taken, though the rest cannot be looked up just now") func halfTaken() throws {
        try withStore { store, path throws in
            let room = try reveal(store, devices: 3)
            // Looked up for a service that takes none of it.
            #expect(try store.lease(.fcm, at: Sample.now, until: Sample.now, limit: 10).messages.isEmpty)
            var other = Sample.room("r_2", pin: try Sample.pin(2))
            try store.create(&other)
            try tell(store, &other)
            let lock = try Connection(path: path, busyTimeout: 0)
            try lock.run("BEGIN IMMEDIATE")
            let taken = try take(store)
            #expect(taken.count == 3 && taken.allSatisfy { $0.notice.room == room.id })
            // With nothing in hand it says that it cannot.
            #expect(throws: StoreError.self) { try take(store) }
            try lock.run("ROLLBACK")
            #expect(try take(store).map(\.notice.room) == Array(repeating: other.id, count: 3))
        }
    }

    @Test("syncs every commit of rooms, whatever was written without a sync before it, and failed") func synced() throws {
        try withStore { store, path throws in
            _ = try reveal(store, devices: 3)
            func logged() throws -> String? {
                try store.write(.logged) { connection throws(StoreError) in try connection.first("PRAGMA synchronous") { $0.text() } }
            }
            #expect(try logged() == "1")
            #expect(try durability(store) == "2")
            #expect(try logged() == "1")
            // In the middle of one that is not synced.
            #expect(throws: StoreError.self) {
                try store.write(.logged) { connection throws(StoreError) in
                    try connection.transaction { () throws(StoreError) -> Void in throw StoreError("provoked") }
                }
            }
            #expect(try durability(store) == "2")
            // Somebody else has locked the file: the connection stays, as it was set.
            #expect(try logged() == "1")
            let other = try Connection(path: path, busyTimeout: 0)
            try other.run("BEGIN IMMEDIATE")
            #expect(throws: StoreError.self) { _ = try take(store) }
            #expect(throws: StoreError.self) { try store.keep(catalogue: [1], fingerprint: "f") }
            try other.run("ROLLBACK")
            #expect(try durability(store) == "2")
            #expect(try take(store).count == 3)
        }
    }

    @Test("says within a transaction that nothing can be said of its durability any more") func within() throws {
        try withStore { store, _ throws in
            #expect(throws: StoreError.self) {
                try store.write { connection throws(StoreError) in
                    try connection.transaction { () throws(StoreError) in try connection.commits(.logged) }
                }
            }
            #expect(try durability(store) == "2")
        }
    }

    @Test("is due again with the next process, though somebody was sending it") func restarted() throws {
        try withStore { store, path throws in
            _ = try reveal(store, devices: 3)
            let messages = try take(store)
            #expect(messages.count == 3)
            try store.settle([PushSettlement(messages[0].id, .accepted)])
            #expect(try take(store).isEmpty)
            store.close()
            let next = try SQLiteStore(path: path)
            #expect(Set(try take(next).map(\.id)) == Set(messages.dropFirst().map(\.id)))
        }
    }

    @Test("goes on with a look-up where a process before it was killed, and has a newer stage begin it anew") func lookUps() throws {
        try withStore { store, path throws in
            var room = try reveal(store, devices: 24)
            var members: [PushRegistryChange] = []
            let sequence = room.sequence
            for number in 2...10 {
                _ = try room.join(Sample.token(number), nickname: nil, at: Sample.now)
                members += (0..<20).map {
                    .register(
                        PushDevice(
                            owner: Sample.token(number), platform: .apns, pushToken: "t\(number)-\($0)", language: .ko, room: nil,
                            at: Sample.now, expiresAt: Sample.now.advanced(by: 86_400_000)))
                }
            }
            #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
            try store.apply(members)
            try tell(store, &room, by: 2)
            // Some have messages by now, and the others are known in memory only.
            let first = try take(store, limit: 1)
            #expect(first.count == 1)
            store.close()
            let next = try SQLiteStore(path: path)
            #expect(try take(next, limit: 1).count == 1)
            try tell(next, &room, by: 3)
            var seen: [Int64: Int] = [:]
            for _ in 0..<100 {
                let messages = try next.lease(
                    .apns, at: Sample.now.advanced(by: 60_000), until: Sample.now.advanced(by: 120_000), limit: 50
                ).messages
                for message in messages where message.notice.sequence == room.sequence { seen[message.registration.id, default: 0] += 1 }
                try next.settle(messages.map { PushSettlement($0.id, .accepted) })
            }
            #expect(seen.count == 24 + 9 * 20)
            #expect(seen.values.allSatisfy { $0 == 1 })
        }
    }

    @Test("is made for no device that has gone since it was looked up") func gone() throws {
        try withStore { store, _ throws in
            var room = try reveal(store, devices: 24)
            let sequence = room.sequence
            _ = try room.join(Sample.token(2), nickname: nil, at: Sample.now)
            for number in 3...8 { _ = try room.join(Sample.token(number), nickname: nil, at: Sample.now) }
            #expect(try store.commit([room.change(basedOn: sequence)]) == [.stored])
            try store.apply(
                (2...8).flatMap { owner in
                    (0..<20).map {
                        .register(
                            PushDevice(
                                owner: Sample.token(owner), platform: .apns, pushToken: "t\(owner)-\($0)", language: .ko, room: nil,
                                at: Sample.now, expiresAt: Sample.now.advanced(by: 86_400_000)))
                    }
                })
            try tell(store, &room, by: 2)
            #expect(try take(store, limit: 1).count == 1)
            try store.apply([.unregister(Sample.token(8))])
            var count = 1
            for _ in 0..<20 { count += try take(store, limit: 50).count }
            #expect(count == 24 + 6 * 20)
        }
    }
}
