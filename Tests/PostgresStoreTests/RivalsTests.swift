import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A batch of which others have much already") struct RivalsTests {
    @Test("is run again once, without all of it") func taken() throws {
        let servers = try Servers()
        func opening(_ number: Int, pin: Int, key: Int) throws -> RoomChange {
            var room = Sample.room("r_\(number)", pin: try Sample.pin(pin))
            let receipt = Receipt(
                key: ReceiptKey(owner: Sample.token(1), key: "key \(key)"), request: Sample.token(7), answer: [1], keptAt: Sample.now,
                expiresAt: Sample.now.advanced(by: 1000), isOfRoom: false)
            return room.change(basedOn: nil, receipts: [receipt])
        }
        let theirs = try (0..<300).map { try opening($0, pin: $0, key: $0) }
        #expect(try servers.second.commit(theirs).allSatisfy { $0 == .stored })
        // Of 300 each: the key, the PIN, both, neither.
        let ours = try (0..<1200).map { number in
            let (kind, other) = (number / 300, number % 300)
            return try opening(
                1000 + number, pin: [1000 + number, other, other, 1000 + number][kind], key: kind % 2 == 0 ? other : 1000 + number)
        }
        let before = try servers.first.commits { $0.roundTrips }
        let outcomes = try servers.first.commit(ours)
        #expect((0..<1200).allSatisfy { outcomes[$0] == [.conflict, .pinTaken, .conflict, .stored][$0 / 300] })
        // Refused, rolled back, asked, run again.
        #expect(try servers.first.commits { $0.roundTrips } == before + 4)
        #expect(try servers.first.commit(Array(ours.prefix(300))).allSatisfy { $0 == .conflict })
        #expect(try servers.first.commits { $0.roundTrips } == before + 7)
    }

    @Test("is run again once, without all rooms that others have changed and with which answers were to be kept") func changed() throws {
        let servers = try Servers()
        let rooms = try (1...40).map { try servers.room($0) }
        let theirs = try servers.second.commit(try rooms.prefix(30).map { try $0.joined(by: 2) })
        #expect(theirs.allSatisfy { $0 == .stored })
        let receipts = rooms.indices.map { number in
            Receipt(
                key: ReceiptKey(owner: Sample.token(3), key: "key \(number)"), request: Sample.token(7), answer: [1], keptAt: Sample.now,
                expiresAt: Sample.now.advanced(by: 1000), isOfRoom: true)
        }
        let before = try servers.first.commits { $0.roundTrips }
        let outcomes = try servers.first.commit(try zip(rooms, receipts).map { try $0.joined(by: 3, receipts: [$1]) })
        #expect(outcomes == (1...40).map { $0 <= 30 ? .conflict : .stored })
        #expect(try servers.first.commits { $0.roundTrips } == before + 4)
        #expect(try servers.first.receipts(receipts.map(\.key), at: Sample.now).count == 10)
    }

    @Test("does not wait for the rooms that somebody has locked, and stores the others") func locked() async throws {
        var limits = TimeLimits.patient
        limits.commitLock = .milliseconds(100)
        let servers = try Servers(limits: limits)
        let rooms = try (1...20).map { try servers.room($0) }
        try servers.second.hold(rooms.prefix(15).map(\.id))
        let before = try servers.first.commits { $0.roundTrips }
        let outcomes = try servers.first.commit(try rooms.map { try $0.joined(by: 2) })
        #expect(outcomes == (1...20).map { $0 <= 15 ? .conflict : .stored })
        #expect(try servers.first.commits { $0.roundTrips } == before + 4)
        // They are not locked by having been looked at.
        #expect(try servers.second.commit(try rooms.prefix(15).map { try $0.joined(by: 3) }).allSatisfy { $0 == .stored })
    }

    @Test("waits for no PIN and no answer that somebody is about to take") func claimed() async throws {
        var limits = TimeLimits.patient
        limits.commitLock = .milliseconds(100)
        let servers = try Servers(limits: limits)
        var (theirs, other) = (Sample.room("r_1", pin: try Sample.pin(1)), Sample.room("r_3", pin: try Sample.pin(3)))
        try servers.second.write { connection throws(StoreError) in
            let change = MarkedChange(theirs.change(basedOn: nil))
            _ = try connection.run([.begin, change.claimPIN], within: limits.write)
        }
        var ours = Sample.room("r_2", pin: theirs.pin)
        #expect(try servers.first.commit([ours.change(basedOn: nil), other.change(basedOn: nil)]) == [.conflict, .stored])
    }

    @Test("holds no room that somebody does not let go of, and says so") func held() throws {
        var limits = TimeLimits.patient
        limits.holdLock = .milliseconds(100)
        let servers = try Servers(limits: limits)
        let (room, other) = (try servers.room(1), try servers.room(2))
        try servers.second.hold([room.id])
        let error = try #require(throws: StoreError.self) { try servers.first.hold([room.id, other.id]) }
        #expect(error.detail.hasSuffix("(55P03)"))
        // The connection has come to no harm, and nothing is held.
        #expect(try servers.second.commit([room.joined(by: 2)]) == [.stored])
        #expect(try servers.first.commit([other.joined(by: 2)]) == [.stored])
    }
}
