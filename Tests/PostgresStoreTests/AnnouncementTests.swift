import MenuGame
import Testing

@testable import PostgresStore

@Suite("What servers tell one another") struct AnnouncementTests {
    @Test("says of each room how far it has come, and nothing where it says nothing") func read() {
        let text = [("r_1", 7), ("방 하나", 12), ("r_2", 1)].map { "\($0) \($1)" }.joined(separator: "\n")
        let news = Announcement.read(text + "\n\nnonsense\nr_3 many")
        #expect(news.map(\.room.text) == ["r_1", "방 하나", "r_2"])
        #expect(news.map(\.sequence) == [7, 12, 1])
        #expect(Announcement.read("").isEmpty)
    }

    @Test("goes in pieces that are small enough, in order and whole") func split() {
        let sizes = [4000, 3900, 1, 7900, 1, 20]
        #expect(Announcement.split(sizes) { $0 } == [[4000, 3900], [1], [7900], [1, 20]])
        #expect(Announcement.split([Int]()) { $0 }.isEmpty)
        // One that is too large by itself is not for this to refuse.
        #expect(Announcement.split([9000, 1]) { $0 } == [[9000], [1]])
    }
}
