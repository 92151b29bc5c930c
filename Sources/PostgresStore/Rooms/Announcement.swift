internal import MenuGame
internal import Synchronization
internal import UseCases

/// What servers tell one another: lines of a room's id and the sequence that it has come to.
enum Announcement {
    /// Bytes of one (PostgreSQL manual, NOTIFY: shorter than 8000).
    static let limit = 7900

    /// Statements that tell of what a batch has written, and of nothing that it has not.
    ///
    /// To be sent behind the COMMIT and not before it: a transaction that notifies has a lock that the whole database shares from then on
    /// until its commit is on disk (`PreCommit_Notify` in async.c), and servers would wait for one another's disks.
    static func statements(for changes: [MarkedChange], on channel: String) -> [SQL] {
        let news = changes.filter { !$0.change.events.isEmpty }
        guard let first = changes.map(\.mark).min(), let last = changes.map(\.mark).max() else { return [] }
        let written = split(news.filter { !$0.room.isClosed }) { $0.room.id.text.utf8.count + 21 }.map { changes -> SQL in
            """
            SELECT pg_notify(\(channel), string_agg(id || ' ' || sequence, E'\\n')) FROM room
            WHERE id = ANY(\(Array(Set(changes.map(\.room.id))))) AND written_by BETWEEN \(first) AND \(last)
            HAVING count(*) > 0
            """
        }
        let closed = news.filter(\.room.isClosed).map { marked -> SQL in
            """
            SELECT pg_notify(\(channel), \(line(marked.room.id, marked.room.sequence)))
            WHERE NOT EXISTS (SELECT FROM room WHERE id = \(marked.room.id))
            """
        }
        return written + closed
    }

    static func line(_ room: Identifier, _ sequence: Int) -> String { "\(room) \(sequence)" }

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
            if size(element) > left {
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
        let found = try connection.sequences(of: Array(rooms.keys), within: limit)
        // One that is not there is no more, or never was.
        let lines = rooms.map { Announcement.line($0, found[$0] ?? $1) }
        _ = try connection.run(
            Announcement.split(lines) { $0.utf8.count + 1 }.map { "SELECT pg_notify(\(channel), \($0.joined(separator: "\n")))" },
            within: limit)
        self.rooms.withLock { kept in for (room, sequence) in rooms where kept[room] == sequence { kept[room] = nil } }
    }
}
