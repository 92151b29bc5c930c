import MenuGame

/// Brings rooms from the store onto the board, away from the event loops and from the writer.
final class RoomLoader: Sendable {
    private let rooms: Coalescer<PIN, PublishedRoom>
    private let sequences: Coalescer<Identifier, Int>
    private let receipts: Coalescer<ReceiptKey, Receipt>
    private let store: any RoomStore
    private let library: CatalogueLibrary
    private let board: RoomBoard
    private let environment: Environment

    init(store: any RoomStore, library: CatalogueLibrary, board: RoomBoard, environment: Environment) {
        self.store = store
        self.library = library
        self.board = board
        self.environment = environment
        rooms = Coalescer("hansang.room-loader", limit: Bounds.roomsPerLoad) { pins throws(StoreError) in
            let removals = board.removals
            return try Self.load(pins, from: store, library, at: environment.now())
                .mapValues { board.publish($0, ifUnchangedSince: removals) }
        }
        sequences = Coalescer("hansang.sequences", limit: Bounds.questionsPerCall) { rooms throws(StoreError) in
            try store.sequences(of: rooms)
        }
        receipts = Coalescer("hansang.receipts", limit: Bounds.questionsPerCall) { keys throws(StoreError) in
            try store.receipts(keys, at: environment.now())
        }
    }

    /// The rooms with these PINs, straight from the store.
    func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: Room] {
        try Self.load(pins, from: store, library, at: now)
    }

    private static func load(
        _ pins: [PIN], from store: any RoomStore, _ library: CatalogueLibrary, at now: Instant
    ) throws(StoreError) -> [PIN: Room] {
        var rooms: [PIN: Room] = [:]
        for (pin, record) in try store.load(pins, at: now) {
            let catalogue = try library.catalogue(record.catalogue)
            do throws(AnswerFaults) { rooms[pin] = try Room(record, catalogue: catalogue) } catch {
                throw StoreError("room \(record.id) holds answers that its catalogue does not know")
            }
        }
        return rooms
    }

    /// Loads a room and puts it onto the board.
    func load(_ pin: PIN, then completion: @escaping Completion<PublishedRoom>) {
        ask(rooms, pin, completion) { $0.map(Result.success) ?? .failure(.roomNotFound) }
    }

    /// The room as it is by now, where other servers may have changed it since it was published.
    ///
    /// A store that cannot be asked just now is no reason to show nothing: then it is the room as it was.
    func refresh(_ published: PublishedRoom, then completion: @escaping Completion<PublishedRoom>) {
        let (id, pin) = (published.room.id, published.room.pin)
        let isAsked = sequences.ask(id) { [self] result in
            switch result {
            case .success(let sequence?) where sequence <= published.room.sequence: completion(.success(published))
            case .success(_?):
                load(pin) { loaded in
                    if case .failure(.storeUnavailable) = loaded { completion(.success(published)) } else { completion(loaded) }
                }
            case .success(nil):
                // Its PIN may be another room's by now.
                board.remove(pin, ofRoom: id)
                load(pin, then: completion)
            case .failure: completion(.success(published))
            }
        }
        if !isAsked { completion(.success(published)) }
    }

    /// Looks for a receipt; `nil` where there is none.
    func find(_ key: ReceiptKey, then completion: @escaping Completion<Receipt?>) { ask(receipts, key, completion) { .success($0) } }

    private func ask<Key, Value, Answer>(
        _ coalescer: Coalescer<Key, Value>, _ key: Key, _ completion: @escaping Completion<Answer>,
        _ answer: @escaping @Sendable (Value?) -> Result<Answer, Failure>
    ) {
        let isAsked = coalescer.ask(key) { [environment] result in
            switch result {
            case .success(let value): completion(answer(value))
            case .failure(let error):
                environment.storeFailed(error)
                completion(.failure(.storeUnavailable))
            }
        }
        if !isAsked { completion(.failure(.storeUnavailable)) }
    }
}
