import Dispatch
import MenuGame
import Synchronization

/// Brings rooms from the store onto the board, away from the event loops and from the writer.
final class RoomLoader: Sendable {
    private let queue = DispatchQueue(label: "hansang.room-loader", qos: .userInitiated)
    private let waiting = Atomic(0)
    private let store: any RoomStore
    private let library: CatalogueLibrary
    private let board: RoomBoard
    private let environment: Environment

    init(store: any RoomStore, library: CatalogueLibrary, board: RoomBoard, environment: Environment) {
        self.store = store
        self.library = library
        self.board = board
        self.environment = environment
    }

    /// The room with this PIN, straight from the store.
    func load(_ pin: PIN, at now: Instant) throws(StoreError) -> Room? {
        guard let record = try store.load(pin, at: now) else { return nil }
        let catalogue = try library.catalogue(record.catalogue)
        do throws(AnswerFaults) { return try Room(record, catalogue: catalogue) } catch {
            throw StoreError("room \(record.id) holds answers that its catalogue does not know")
        }
    }

    /// Loads on the loader's own queue and puts the room onto the board.
    func load(_ pin: PIN, then completion: @escaping Completion<PublishedRoom>) {
        perform(completion) { [self] () throws(StoreError) in
            // Somebody else who waited may have brought it already.
            if let published = board[pin] { return .success(published) }
            let removals = board.removals
            guard let room = try load(pin, at: environment.now()) else { return .failure(.roomNotFound) }
            return .success(board.publish(room, ifUnchangedSince: removals))
        }
    }

    /// Looks for a receipt on the loader's own queue; `nil` where there is none.
    func find(_ key: ReceiptKey, then completion: @escaping Completion<Receipt?>) {
        perform(completion) { [self] () throws(StoreError) in .success(try store.receipt(key, at: environment.now())) }
    }

    private func perform<Answer: Sendable>(
        _ completion: @escaping Completion<Answer>, _ body: @escaping @Sendable () throws(StoreError) -> Result<Answer, Failure>
    ) {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Bounds.waitingLoads else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return completion(.failure(.storeUnavailable))
        }
        queue.async { [self] in
            defer { waiting.wrappingSubtract(1, ordering: .relaxed) }
            do throws(StoreError) { completion(try body()) } catch {
                environment.storeFailed(error)
                completion(.failure(.storeUnavailable))
            }
        }
    }
}
