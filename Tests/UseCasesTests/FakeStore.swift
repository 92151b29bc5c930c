import Dispatch
import MenuGame
import Synchronization
import TestSupport
import UseCases

/// A store in memory that does what it is told, and fails when it is told to.
final class FakeStore: RoomStore {
    struct State: Sendable {
        var rooms: [PIN: RoomRecord] = [:]
        /// Of the changes that wrote them.
        var marks: [PIN: Int64] = [:]
        var receipts: [ReceiptKey: Receipt] = [:]
        /// When the clock has something to do with rooms, and until when somebody sees to it.
        var due: [PIN: Instant] = [:]
        var leased: [PIN: Instant] = [:]
        var receiptsOf: [Identifier: Set<ReceiptKey>] = [:]
        var catalogues: [String: [UInt8]] = [:]
        var loads = 0
        var commits = 0
        /// What phones are to be told that was written down.
        var notices = 0
        /// Commits that have begun, also those that wait at the gate.
        var begun = 0
        /// What becomes of the next commits; when there is nothing more in it, they succeed.
        var faults: [Fault] = []
        var cannotLoad = false
        /// Rooms alone, while all else can be asked.
        var cannotLoadRooms = false
        /// Rooms that are damaged: what asks for one of them fails.
        var damaged: Set<PIN> = []
    }

    enum Fault: Sendable {
        /// Nothing is stored, and that is said.
        case failed
        /// Everything is stored, and yet an error is thrown.
        case unknown
        /// Somebody else changes the room first.
        case overtaken(by: @Sendable (inout RoomRecord) -> Void)
        /// Somebody else opens a room with the PIN of a new one first.
        case claimed
    }

    private final class Shared: Sendable {
        let state = Mutex(State())
        let listeners = Mutex<[@Sendable (StoreNews) -> Void]>([])
    }

    private let shared: Shared
    let isShared: Bool
    /// Held while a commit is to wait.
    let gate = DispatchSemaphore(value: 1)
    /// Calls that ask for something, and how many things were asked for.
    let asked = Mutex((calls: 0, things: 0))
    /// Called once, when rooms have been looked up and whoever asked does not have them yet.
    let whileLoading = Mutex<(@Sendable () -> Void)?>(nil)
    /// Rooms that a writer held, one set a time.
    let held = Mutex<[[Identifier]]>([])

    private init(_ shared: Shared, isShared: Bool) {
        self.shared = shared
        self.isShared = isShared
    }

    /// - Parameter isShared: whether it has neighbours.
    convenience init(isShared: Bool = false) { self.init(Shared(), isShared: isShared) }

    /// The same rooms as another server sees them.
    func neighbour() -> FakeStore { FakeStore(shared, isShared: true) }

    func listen(_ listener: @escaping @Sendable (StoreNews) -> Void) { shared.listeners.withLock { $0.append(listener) } }

    /// Told to all servers.
    func tell(_ news: StoreNews) { for listener in shared.listeners.withLock({ $0 }) { listener(news) } }

    func hold(_ rooms: [Identifier]) throws(StoreError) { held.withLock { $0.append(rooms) } }

    func release() {}

    func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: StoredRoom] {
        note(pins.count)
        defer { whileLoading.withLock { $0.take() }?() }
        return try shared.state.withLock { state throws(StoreError) in
            if state.cannotLoad || state.cannotLoadRooms || !state.damaged.isDisjoint(with: pins) { throw StoreError("told to fail") }
            state.loads += 1
            var rooms: [PIN: StoredRoom] = [:]
            for pin in pins { rooms[pin] = state.live(pin, at: now).map { StoredRoom($0, mark: state.marks[pin]) } }
            return rooms
        }
    }

    func versions(of rooms: [Identifier]) throws(StoreError) -> [Identifier: RoomVersion] {
        note(rooms.count)
        return try shared.state.withLock { state throws(StoreError) in
            if state.cannotLoad { throw StoreError("told to fail") }
            var versions: [Identifier: RoomVersion] = [:]
            for room in state.rooms.values where rooms.contains(room.id) {
                versions[room.id] = RoomVersion(sequence: room.sequence, mark: state.marks[room.pin])
            }
            return versions
        }
    }

    func receipts(_ keys: [ReceiptKey], at now: Instant) throws(StoreError) -> [ReceiptKey: Receipt] {
        note(keys.count)
        return shared.state.withLock { state in state.receipts.filter { keys.contains($0.key) && $0.value.expiresAt > now } }
    }

    func facts(_ question: StoreQuestion, at now: Instant) throws(StoreError) -> StoreFacts {
        note(1)
        return shared.state.withLock { state in
            var facts = StoreFacts()
            facts.receipts = state.receipts.filter { question.receipts.contains($0.key) && $0.value.expiresAt > now }
            for owner in question.owners { facts.bytesOfOwners[owner] = state.bytes { $0.key.owner == owner } }
            for room in question.rooms {
                let keys = state.receiptsOf[room, default: []]
                facts.bytesInRooms[room] = state.bytes { keys.contains($0.key) }
            }
            for token in question.openers {
                facts.expiries[token] = state.rooms.values.filter { $0.openedBy == token && $0.expiresAt > now }.map(\.expiresAt)
            }
            facts.taken = question.pins.filter { state.live($0, at: now) != nil }
            for digits in question.digits { facts.counts[digits] = state.rooms.keys.count { $0.digits == digits } }
            return facts
        }
    }

    private func note(_ things: Int) {
        asked.withLock { asked in
            asked.calls += 1
            asked.things += things
        }
    }

    func keep(_ receipt: Receipt) throws(StoreError) -> Bool {
        try shared.state.withLock { state throws(StoreError) in
            if !state.faults.isEmpty {
                state.faults.removeFirst()
                throw StoreError("told to fail")
            }
            if let other = state.receipts[receipt.key], other.expiresAt > receipt.keptAt { return false }
            state.receipts[receipt.key] = receipt
            return true
        }
    }

    func lease(dueAt now: Instant, until end: Instant, limit: Int) throws(StoreError) -> [PIN] {
        shared.state.withLock { state in
            let due = state.due.filter { $0.value <= now && state.leased[$0.key, default: now] <= now }
            let pins = due.sorted { $0.value < $1.value }.prefix(limit).map(\.key)
            for pin in pins { state.leased[pin] = end }
            return pins
        }
    }

    func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int {
        shared.state.withLock { state in
            let keys = state.receipts.values.filter { $0.expiresAt <= now }.map(\.key).prefix(limit)
            for key in keys { state.receipts[key] = nil }
            return keys.count
        }
    }

    func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome] {
        shared.state.withLock { $0.begun += 1 }
        gate.wait()
        defer { gate.signal() }
        return try shared.state.withLock { state throws(StoreError) in
            state.commits += 1
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            if case .failed = fault { throw StoreError("told to fail") }
            if case .overtaken(let change) = fault {
                for pin in batch.map(\.room.pin) {
                    guard var room = state.rooms[pin] else { continue }
                    change(&room)
                    state.rooms[pin] = room
                }
            }
            if case .claimed = fault { return batch.map { $0.basedOn == nil ? .pinTaken : state.store($0) } }
            let outcomes = batch.map { state.store($0) }
            if case .unknown = fault { throw StoreError("told to fail after all was stored") }
            return outcomes
        }
    }

    func deleteExpired(at now: Instant, limit: Int) throws(StoreError) -> [PIN] {
        shared.state.withLock { state in
            let pins = Array(state.rooms.values.filter { $0.expiresAt <= now }.map(\.pin).prefix(limit))
            for pin in pins { state.rooms[pin] = nil }
            return pins
        }
    }

    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? { shared.state.withLock { $0.catalogues[fingerprint] } }

    func catalogues() throws(StoreError) -> [String] { shared.state.withLock { $0.catalogues.keys.sorted() } }

    func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError) {
        shared.state.withLock { $0.catalogues[fingerprint] = catalogue }
    }

    func isWritable() -> Bool { shared.state.withLock(\.faults.isEmpty) }

    /// Looks at the state or changes it, behind everybody's back.
    func with<Result>(_ body: (inout State) -> Result) -> Result where Result: Sendable { shared.state.withLock { body(&$0) } }

    func fail(_ faults: Fault...) { shared.state.withLock { $0.faults = faults } }

    subscript(pin: PIN) -> RoomRecord? { shared.state.withLock { $0.rooms[pin] } }
}

extension FakeStore.State {
    func live(_ pin: PIN, at now: Instant) -> RoomRecord? { rooms[pin].flatMap { $0.expiresAt > now ? $0 : nil } }

    func bytes(of isMeant: (Receipt) -> Bool) -> Int {
        receipts.values.filter(isMeant).reduce(0) { $0 + $1.answer.count + Receipt.overhead }
    }

    mutating func store(_ change: RoomChange) -> CommitOutcome {
        let room = change.room
        if let basedOn = change.basedOn {
            guard let stored = rooms[room.pin], stored.id == room.id, stored.sequence == basedOn.sequence,
                basedOn.mark == nil || basedOn.mark == marks[room.pin]
            else { return .conflict }
        } else if live(room.pin, at: room.createdAt) != nil {
            return .pinTaken
        }
        rooms[room.pin] = room.isClosed ? nil : RoomRecord(room)
        marks[room.pin] = room.isClosed ? nil : change.published.mark
        if change.notice != nil { notices += 1 }
        due[room.pin] = room.isClosed ? nil : room.dueAt
        for receipt in change.receipts where !room.isClosed {
            receipts[receipt.key] = receipt
            if receipt.isOfRoom { receiptsOf[room.id, default: []].insert(receipt.key) }
        }
        if room.isClosed { for key in receiptsOf.removeValue(forKey: room.id) ?? [] { receipts[key] = nil } }
        return .stored
    }
}
