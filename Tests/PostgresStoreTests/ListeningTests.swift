import MenuGame
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import PostgresStore

@Suite("A server that listens", .sharesPostgres, .blocks) struct ListeningTests {
    /// What a store has told, in order.
    private final class Diary: Sendable {
        private let entries = Mutex<[StoreNews]>([])

        init(of store: PostgresStore) { store.listen { [weak self] news in self?.entries.withLock { $0.append(news) } } }

        var news: [StoreNews] { entries.withLock { $0 } }
        /// Without what rooms have come to.
        var states: [StoreNews] { news.filter { $0 == .silent || $0 == .resumed } }

        func hears(_ news: StoreNews) async throws -> Bool { try await eventually(within: patience) { self.news.contains(news) } }
    }

    @Test("hears of what others change, and of what it changes itself") func hears() async throws {
        let servers = try Servers()
        let diary = Diary(of: servers.second)
        let room = try servers.room()
        #expect(try servers.first.commit([room.joined(by: 2)]) == [.stored])
        #expect(try await diary.hears(.changed(room.id, sequence: 2)))
        var record = try Room(try #require(try servers.second.load(room.pin, at: Sample.now)), catalogue: Sample.catalogue)
        #expect(try servers.second.commit([record.joined(by: 3)]) == [.stored])
        #expect(try await diary.hears(.changed(room.id, sequence: 3)))
        record = try Room(try #require(try servers.first.load(room.pin, at: Sample.now)), catalogue: Sample.catalogue)
        let sequence = record.sequence
        try record.close(by: Sample.token(1))
        #expect(try servers.first.commit([record.change(basedOn: sequence)]) == [.stored])
        #expect(try await diary.hears(.changed(room.id, sequence: 4)))
        #expect(diary.states.isEmpty)
    }

    @Test("hears of every room of a batch, however many they are") func manyRooms() async throws {
        let servers = try Servers()
        let diary = Diary(of: servers.second)
        let changes = try (0..<1000).map { number in
            var room = Sample.room("r_\(number)_of_a_long_name_as_ids_have_it", pin: try Sample.pin(number))
            return room.change(basedOn: nil)
        }
        #expect(try servers.first.commit(changes).allSatisfy { $0 == .stored })
        let expected = Set(changes.map { StoreNews.changed($0.room.id, sequence: 1) })
        #expect(try await eventually(within: patience) { Set(diary.news) == expected })
    }

    @Test("says so when it hears nothing any more, and again when it does, and has missed nothing since") func interrupted() async throws {
        let servers = try Servers()
        let diary = Diary(of: servers.second)
        var room = try servers.room()
        for round in 1...3 {
            let sequence = room.sequence
            try servers.end(servers.listening(of: 1))
            #expect(try await eventually(within: patience) { diary.states.count == 2 * round })
            _ = try room.join(Sample.token(10 + round), nickname: nil, at: Sample.now)
            #expect(try servers.first.commit([room.change(basedOn: sequence)]) == [.stored])
            #expect(try await diary.hears(.changed(room.id, sequence: room.sequence)))
        }
        #expect(diary.states == [.silent, .resumed, .silent, .resumed, .silent, .resumed])
    }

    @Test("is told at once that nothing is heard just now") func silentFromTheStart() async throws {
        let server = try await PostgresServer.started()
        let servers = try Servers(1, on: server)
        let first = Diary(of: servers.first)
        try await server.tell("stop")
        #expect(try await first.hears(.silent))
        let second = Diary(of: servers.first)
        #expect(try await second.hears(.silent))
        try await server.tell("start")
        #expect(try await second.hears(.resumed))
        #expect(second.states == [.silent, .resumed])
    }

    @Test("notices a network on which nothing comes any more") func frozen() async throws {
        let server = try await PostgresServer.started()
        var limits = TimeLimits.patient
        limits.heartbeat = .milliseconds(200)
        let servers = try Servers(1, on: server, limits: limits)
        let diary = Diary(of: servers.first)
        try await server.tell("freeze")
        #expect(try await diary.hears(.silent))
        try await server.tell("thaw")
        #expect(try await diary.hears(.resumed))
    }

    @Test("hears of rooms of which another does not know whether it has changed them") func unknown() async throws {
        let servers = try Servers()
        let diary = Diary(of: servers.second)
        let room = try servers.room()
        try servers.second.hold([room.id])
        let other = try servers.committing(of: 0)
        let commit = begin { try servers.first.commit([room.joined(by: 2)]) }
        #expect(try await servers.waits(other, for: "Lock"))
        try servers.end(other)
        await #expect(throws: StoreError.self) { try await commit.value }
        #expect(try await diary.hears(.changed(room.id, sequence: 2)))
        servers.second.release()
    }

    @Test("hears nothing once it is closed") func closed() async throws {
        let servers = try Servers()
        let (open, closed) = (Diary(of: servers.first), Diary(of: servers.second))
        servers.second.close()
        let room = try servers.room()
        #expect(try await open.hears(.changed(room.id, sequence: 1)))
        #expect(closed.news.isEmpty)
    }
}
