import Dispatch
import MenuGame

/// Brings rooms from the store onto the board, away from the event loops and from the writer.
final class RoomLoader: Sendable {
    private let rooms: Coalescer<PIN, PublishedRoom>
    private let versions: Coalescer<Identifier, RoomVersion>
    private let receipts: Coalescer<ReceiptKey, Receipt>
    private let connectivity = StoreConnectivity()
    private let retries = DispatchQueue(label: "hansang.versions.retries")
    private let loading: Loading
    private let board: RoomBoard
    private let environment: Environment
    private let observer: RoomObserver

    private static let patience = DispatchTimeInterval.milliseconds(250)

    init(
        store: any RoomStore, library: CatalogueLibrary, board: RoomBoard, watchers: Watchers, environment: Environment,
        observer: RoomObserver
    ) {
        let loading = Loading(store: store, library: library, board: board, watchers: watchers, observer: observer)
        self.loading = loading
        self.board = board
        self.environment = environment
        self.observer = observer
        rooms = Coalescer("hansang.room-loader", limit: Bounds.roomsPerLoad) { pins throws(StoreError) in
            try loading.publish(pins, at: environment.now())
        }
        versions = Coalescer("hansang.versions", limit: Bounds.questionsPerCall) { rooms throws(StoreError) in
            try store.versions(of: rooms)
        }
        receipts = Coalescer("hansang.receipts", limit: Bounds.questionsPerCall) { keys throws(StoreError) in
            try store.receipts(keys, at: environment.now())
        }
    }

    /// The rooms with these PINs, straight from the store.
    func load(_ pins: [PIN], at now: Instant) throws(StoreError) -> [PIN: PublishedRoom] { try loading.load(pins, at: now) }

    /// See `Loading.known` and `Loading.show`, for whoever loads them so.
    func known(_ pins: [PIN]) -> [PIN: PublishedRoom] { loading.known(pins) }
    func show(_ loaded: PublishedRoom, over known: PublishedRoom?) -> PublishedRoom? { loading.show(loaded, over: known) }

    /// Loads rooms and puts them onto the board. Those that are no more are left out.
    func publish(_ pins: [PIN]) throws(StoreError) -> [PIN: PublishedRoom] {
        try loading.publish(pins, at: environment.now())
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
        let isAsked = versions.ask(id) { [self] result in
            switch result {
            case .success(let version):
                connectivity.restore()
                guard let version else {
                    // Its PIN may be another room's by now.
                    board.remove(pin, ofRoom: id)
                    return load(pin, then: completion)
                }
                // Asked when the room was published already, so that a lower sequence is none from before.
                if version == published.version {
                    published.confirm(at: began)
                    return completion(.success(published))
                }
                load(pin) { loaded in
                    // It says that there is another, and was lost before it said what.
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
