internal import MenuGame
internal import Synchronization
internal import UseCases

/// What servers tell one another: lines of a room's id and the sequence that it has come to.
enum Announcement {
    /// Bytes of one (PostgreSQL manual, NOTIFY: shorter than 8000).
    static let limit = 7900

    /// Statements that tell of a batch. What of it is not taken is told as well, for nobody here knows yet; whoever then looks finds the
    /// room as somebody else has made it.
    ///
    /// To be sent behind the COMMIT and not before it: a transaction that notifies takes a lock that there is once, from then on until
    /// its commit is on disk (`PreCommit_Notify` in async.c), and all would wait for one another's syncs. Alone it has nothing to sync.
    static func statements(for changes: [RoomChange], on channel: String) -> [SQL] {
        let news = changes.filter { !$0.events.isEmpty }.map { ($0.room.id, $0.room.sequence) }
        return statements(for: Dictionary(news, uniquingKeysWith: max), on: channel)
    }

    static func statements(for rooms: [Identifier: Int], on channel: String) -> [SQL] {
        let lines = rooms.map { room, sequence in "\(room) \(sequence)" }
        return split(lines) { $0.utf8.count + 1 }.map { "SELECT pg_notify(\(channel), \($0.joined(separator: "\n")))" }
    }

    /// What an announcement says.
    static func read(_ text: String) -> [(room: Identifier, sequence: Int)] {
        text.split(separator: "\n").compactMap { line in
            guard let space = line.lastIndex(of: " "), let sequence = Int(line[line.index(after: space)...]) else { return nil }
            return (Identifier(String(line[..<space])), sequence)
        }
    }

    /// In their order, in pieces that fit into one announcement each.
    static func split<Element>(_ elements: [Element], _ size: (Element) -> Int) -> [[Element]] {
        var pieces: [[Element]] = []
        var left = 0
        for element in elements {
            if pieces.isEmpty || size(element) > left {
                pieces.append([])
                left = limit
            }
            pieces[pieces.count - 1].append(element)
            left -= size(element)
        }
        return pieces
    }
}

/// Rooms of which nobody knows whether a commit reached them, nor therefore the other servers: they are told as soon as there is a
/// connection again. No more than one batch's at a time.
final class Unannounced: Sendable {
    private let rooms = Mutex<[Identifier: Int]>([:])

    func add(_ batch: [RoomChange]) {
        rooms.withLock { rooms in
            for change in batch { rooms[change.room.id] = max(rooms[change.room.id, default: 0], change.room.sequence) }
        }
    }

    func deliver(by connection: Connection, on channel: String, within limit: Duration) throws(StoreError) {
        let rooms = self.rooms.withLock { $0 }
        guard !rooms.isEmpty else { return }
        _ = try connection.run(Announcement.statements(for: rooms, on: channel), within: limit)
        self.rooms.withLock { kept in for (room, sequence) in rooms where kept[room] == sequence { kept[room] = nil } }
    }
}
