import Dispatch
import MenuGame

/// Brings rooms from the store onto the board, away from the event loops and from the writer.
final class RoomLoader: Sendable {
    private let rooms: Coalescer<PIN, PublishedRoom>
    private let sequences: Coalescer<Identifier, Int>
    private let receipts: Coalescer<ReceiptKey, Receipt>
    private let connectivity = StoreConnectivity()
    private let retries = DispatchQueue(label: "hansang.sequences.retries")
    private let store: any RoomStore
    private let library: CatalogueLibrary
    private let board: RoomBoard
    private let environment: Environment
    private let observer: RoomObserver

    private static let patience = DispatchTimeInterval.milliseconds(250)

    init(store: any RoomStore, library: CatalogueLibrary, board: RoomBoard, environment: Environment, observer: RoomObserver) {
        self.store = store
        self.library = library
        self.board = board
        self.environment = environment
        self.observer = observer
        rooms = Coalescer("hansang.room-loader", limit: Bounds.roomsPerLoad) { pins throws(StoreError) in
            try Self.publish(pins, from: store, library, on: board, at: environment.now())
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

    /// Loads rooms and puts them onto the board. Those that are no more are left out.
    func publish(_ pins: [PIN]) throws(StoreError) -> [PIN: PublishedRoom] {
        try Self.publish(pins, from: store, library, on: board, at: environment.now())
    }

    private static func publish(
        _ pins: [PIN], from store: any RoomStore, _ library: CatalogueLibrary, on board: RoomBoard, at now: Instant
    ) throws(StoreError) -> [PIN: PublishedRoom] {
        let removals = board.removals
        return try load(pins, from: store, library, at: now).mapValues { room in
            let published = board.publish(PublishedRoom(room), ifUnchangedSince: removals)
            published.confirm(at: now)
            return published
        }
    }

    private static func load(
        _ pins: [PIN], from store: any RoomStore, _ library: CatalogueLibrary, at now: Instant
    ) throws(StoreError) -> [PIN: Room] {
        var rooms: [PIN: Room] = [:]
        for (pin, record) in try store.load(pins, at: now) {
            let catalogue: Catalogue
            do throws(StoreError) { catalogue = try library.catalogue(record.catalogue) } catch {
                throw StoreError("room \(record.id): \(error)")
            }
            do throws(RecordFault) { rooms[pin] = try Room(record, catalogue: catalogue) } catch {
                throw StoreError("room \(record.id) \(error.rawValue)")
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
    /// A store that cannot be asked is no reason to show nothing: then it is the room as it was, with the moment until which that is known
    /// to hold (`PublishedRoom.asOf`). A connection that was just lost is given a moment to come back.
    func refresh(_ published: PublishedRoom, then completion: @escaping Completion<PublishedRoom>) {
        ask(about: published, then: completion) { [self] error in
            guard connectivity.lose() else { return completion(.success(published.outdated)) }
            observer.storeFailed(error)
            retries.asyncAfter(deadline: .now() + Self.patience) { [self] in
                ask(about: published, then: completion) { _ in completion(.success(published.outdated)) }
            }
        }
    }

    private func ask(
        about published: PublishedRoom, then completion: @escaping Completion<PublishedRoom>,
        orElse failed: @escaping @Sendable (StoreError) -> Void
    ) {
        let (id, pin) = (published.room.id, published.room.pin)
        let began = environment.now()
        let isAsked = sequences.ask(id) { [self] result in
            switch result {
            case .success(let sequence):
                connectivity.restore()
                guard let sequence else {
                    // Its PIN may be another room's by now.
                    board.remove(pin, ofRoom: id)
                    return load(pin, then: completion)
                }
                if sequence <= published.room.sequence {
                    published.confirm(at: began)
                    return completion(.success(published))
                }
                load(pin) { loaded in
                    // It says that there is more, and was lost before it said what.
                    let isLost = if case .failure(.storeUnavailable) = loaded { true } else { false }
                    completion(isLost ? .success(published.outdated) : loaded)
                }
            case .failure(let error): failed(error)
            }
        }
        // Too many wait already, which is no more a reason.
        if !isAsked { completion(.success(published.outdated)) }
    }

    /// Looks for a receipt; `nil` where there is none.
    func find(_ key: ReceiptKey, then completion: @escaping Completion<Receipt?>) { ask(receipts, key, completion) { .success($0) } }

    private func ask<Key, Value, Answer>(
        _ coalescer: Coalescer<Key, Value>, _ key: Key, _ completion: @escaping Completion<Answer>,
        _ answer: @escaping @Sendable (Value?) -> Result<Answer, Failure>
    ) {
        let isAsked = coalescer.ask(key) { [observer] result in
            switch result {
            case .success(let value): completion(answer(value))
            case .failure(let error):
                observer.storeFailed(error)
                completion(.failure(.storeUnavailable))
            }
        }
        if !isAsked { completion(.failure(.storeUnavailable)) }
    }
}
