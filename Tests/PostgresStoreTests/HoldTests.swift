import MenuGame
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A room that a server holds", .sharesPostgres, .blocks) struct HoldTests {
    @Test("is changed by nobody else until it was committed, and that commit is no conflict") func next() async throws {
        let servers = try Servers()
        let room = try servers.room()
        try servers.first.hold([room.id])
        let other = try servers.committing(of: 1)
        async let late = onOwnThread { try servers.second.commit([room.joined(by: 3)]) }
        #expect(try await servers.waits(other, for: "Lock"))
        // What is asked meanwhile is answered.
        #expect(try servers.first.load(room.pin, at: Sample.now) == RoomRecord(room))
        var question = StoreQuestion()
        question.pins = [room.pin]
        #expect(try servers.first.facts(question, at: Sample.now).taken == [room.pin])
        #expect(servers.first.isWritable())
        #expect(try servers.first.commit([room.joined(by: 2)]) == [.stored])
        #expect(try await late == [.conflict])
        #expect(try servers.second.load(room.pin, at: Sample.now)?.members.map(\.token) == [Sample.token(1), Sample.token(2)])
    }

    @Test("is let go of without a commit") func release() async throws {
        let servers = try Servers()
        let room = try servers.room()
        try servers.first.hold([room.id, Identifier("r_9")])
        let other = try servers.committing(of: 1)
        async let waiting = onOwnThread { try servers.second.commit([room.joined(by: 3)]) }
        #expect(try await servers.waits(other, for: "Lock"))
        servers.first.release()
        #expect(try await waiting == [.stored])
        #expect(try servers.first.commit([room.joined(by: 2)]) == [.conflict])
    }

    @Test("is let go of by one that has to begin again without a loser") func rerun() throws {
        let servers = try Servers()
        let room = try servers.room()
        try servers.first.hold([room.id])
        var taken = Sample.room("r_2", pin: room.pin)
        #expect(try servers.first.commit([taken.change(basedOn: nil), room.joined(by: 2)]) == [.pinTaken, .stored])
        #expect(try servers.second.load(room.pin, at: Sample.now)?.members.count == 2)
    }

    @Test("goes round among servers that all want it, and none is left out") func fair() async throws {
        let servers = try Servers(4)
        let pin = try servers.room().pin
        let id = Identifier("r_1")
        let conflicts = try await atOnce(0..<4) { server in
            let store = servers.stores[server]
            var conflicts = 0
            for number in 0..<10 {
                try store.hold([id])
                let record = try #require(try store.load(pin, at: Sample.now))
                let room = try Room(record, catalogue: Sample.catalogue)
                if try store.commit([room.joined(by: 100 + 10 * server + number)]) != [.stored] { conflicts += 1 }
            }
            return conflicts
        }
        #expect(conflicts == [0, 0, 0, 0])
        #expect(try servers.first.load(pin, at: Sample.now)?.members.count == 41)
    }

    @Test("is free again when its server is gone without a word") func gone() async throws {
        var limits = TimeLimits.patient
        limits.hold = .milliseconds(200)
        let servers = try Servers(limits: limits)
        let room = try servers.room()
        try servers.first.hold([room.id])
        #expect(try servers.second.commit([room.joined(by: 2)]) == [.stored])
        // Whoever comes back after that finds that it holds nothing any more.
        #expect(try await eventually(within: patience) { (try? servers.first.commit([room.joined(by: 3)])) == [.conflict] })
    }
}
