import Dispatch
import MenuGame
import Synchronization
import TestSupport
import UseCases

/// A watcher that notes what it hears.
final class Listener: RoomWatcher {
    private struct Notes {
        var heard: [Room] = []
        var ends = 0
        /// What was made for each piece of news; kept, so that no two can be at one place.
        var shared: [Work] = []
    }

    /// Something that watchers make of a piece of news together.
    private final class Work: Sendable {}

    private let notes = Mutex(Notes())
    /// Held while the watchers' queue is to be stuck here.
    let gate = DispatchSemaphore(value: 1)

    func roomChanged(_ news: News) {
        let work = news.shared { Work() }
        notes.withLock { notes in
            notes.heard.append(news.room.room)
            notes.shared.append(work)
        }
        gate.wait()
        gate.signal()
    }

    func roomEnded() { notes.withLock { $0.ends += 1 } }

    var rooms: [Room] { notes.withLock { $0.heard } }
    var sequences: [Int] { rooms.map(\.sequence) }
    var ends: Int { notes.withLock { $0.ends } }
    /// By identity.
    var shared: [ObjectIdentifier] { notes.withLock { $0.shared.map(ObjectIdentifier.init) } }

    func hears(_ sequence: Int) async throws -> Bool { try await eventually { self.sequences.last == sequence } }
}

extension Table {
    func published(_ pin: PIN) async throws -> PublishedRoom {
        try await withCheckedContinuation { continuation in rooms.read(pin) { continuation.resume(returning: $0) } }.get()
    }

    /// Somebody who watches a room from how it is now.
    func watch(_ pin: PIN, with listener: Listener = Listener()) async throws -> Listener {
        let room = try await published(pin)
        rooms.watch(room, after: room.room.sequence, by: listener)
        return listener
    }
}
