import Dispatch
import MenuGame
import Synchronization
import TestSupport
import UseCases

/// A store in memory that does what it is told, and fails when it is told to.
final class FakeStore: RoomStore {
    struct State: Sendable {
        var rooms: [PIN: RoomRecord] = [:]
        var receipts: [ReceiptKey: Receipt] = [:]
        var receiptsOf: [Identifier: Set<ReceiptKey>] = [:]
        var catalogues: [String: [UInt8]] = [:]
        var loads = 0
        var commits = 0
        /// Commits that have begun, also those that wait at the gate.
        var begun = 0
        /// What becomes of the next commits; when there is nothing more in it, they succeed.
        var faults: [Fault] = []
        var cannotLoad = false
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

    private let state = Mutex(State())
    /// Held while a commit is to wait.
    let gate = DispatchSemaphore(value: 1)

    func load(_ pin: PIN, at now: Instant) throws(StoreError) -> RoomRecord? {
        try state.withLock { state throws(StoreError) in
            if state.cannotLoad { throw StoreError("told to fail") }
            state.loads += 1
            return state.live(pin, at: now)
        }
    }

    func isLive(_ pin: PIN, at now: Instant) throws(StoreError) -> Bool { state.withLock { $0.live(pin, at: now) != nil } }

    func liveCount(digits: Int) throws(StoreError) -> Int { state.withLock { $0.rooms.keys.count { $0.digits == digits } } }

    func roomsExpire(openedBy token: TokenHash, at now: Instant) throws(StoreError) -> [Instant] {
        state.withLock { $0.rooms.values.filter { $0.openedBy == token && $0.expiresAt > now }.map(\.expiresAt) }
    }

    func receipt(_ key: ReceiptKey, at now: Instant) throws(StoreError) -> Receipt? {
        state.withLock { $0.receipts[key].flatMap { $0.expiresAt > now ? $0 : nil } }
    }

    func receiptBytes(of owner: TokenHash) throws(StoreError) -> Int { bytes { $0.key.owner == owner } }

    func receiptBytes(in room: Identifier) throws(StoreError) -> Int {
        let keys = state.withLock { $0.receiptsOf[room, default: []] }
        return bytes { keys.contains($0.key) }
    }

    private func bytes(where isMeant: @Sendable (Receipt) -> Bool) -> Int {
        state.withLock { $0.receipts.values.filter(isMeant).reduce(0) { $0 + $1.answer.count + Receipt.overhead } }
    }

    func keep(_ receipt: Receipt) throws(StoreError) {
        try state.withLock { state throws(StoreError) in
            if !state.faults.isEmpty {
                state.faults.removeFirst()
                throw StoreError("told to fail")
            }
            state.receipts[receipt.key] = receipt
        }
    }

    func deleteExpiredReceipts(at now: Instant, limit: Int) throws(StoreError) -> Int {
        state.withLock { state in
            let keys = state.receipts.values.filter { $0.expiresAt <= now }.map(\.key).prefix(limit)
            for key in keys { state.receipts[key] = nil }
            return keys.count
        }
    }

    func commit(_ batch: [RoomChange]) throws(StoreError) -> [CommitOutcome] {
        state.withLock { $0.begun += 1 }
        gate.wait()
        defer { gate.signal() }
        return try state.withLock { state throws(StoreError) in
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
        state.withLock { state in
            let pins = Array(state.rooms.values.filter { $0.expiresAt <= now }.map(\.pin).prefix(limit))
            for pin in pins { state.rooms[pin] = nil }
            return pins
        }
    }

    func catalogue(_ fingerprint: String) throws(StoreError) -> [UInt8]? { state.withLock { $0.catalogues[fingerprint] } }

    func keep(catalogue: [UInt8], fingerprint: String) throws(StoreError) {
        state.withLock { $0.catalogues[fingerprint] = catalogue }
    }

    func isWritable() -> Bool { state.withLock(\.faults.isEmpty) }

    /// Looks at the state or changes it, behind everybody's back.
    func with<Result>(_ body: (inout State) -> Result) -> Result where Result: Sendable { state.withLock { body(&$0) } }

    func fail(_ faults: Fault...) { state.withLock { $0.faults = faults } }

    subscript(pin: PIN) -> RoomRecord? { state.withLock { $0.rooms[pin] } }
}

extension FakeStore.State {
    func live(_ pin: PIN, at now: Instant) -> RoomRecord? { rooms[pin].flatMap { $0.expiresAt > now ? $0 : nil } }

    mutating func store(_ change: RoomChange) -> CommitOutcome {
        let room = change.room
        if let basedOn = change.basedOn {
            guard let stored = rooms[room.pin], stored.id == room.id, stored.sequence == basedOn else { return .conflict }
        } else if live(room.pin, at: room.createdAt) != nil {
            return .pinTaken
        }
        rooms[room.pin] = room.isClosed ? nil : RoomRecord(room)
        for receipt in change.receipts where !room.isClosed {
            receipts[receipt.key] = receipt
            if receipt.isOfRoom { receiptsOf[room.id, default: []].insert(receipt.key) }
        }
        if room.isClosed { for key in receiptsOf.removeValue(forKey: room.id) ?? [] { receipts[key] = nil } }
        return .stored
    }
}
