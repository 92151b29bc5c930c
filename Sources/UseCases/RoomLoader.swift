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
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Bounds.waitingLoads else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return completion(.failure(.storeUnavailable))
        }
        queue.async { [self] in
            defer { waiting.wrappingSubtract(1, ordering: .relaxed) }
            // Somebody else who waited may have brought it already.
            if let published = board[pin] { return completion(.success(published)) }
            let removals = board.removals
            do throws(StoreError) {
                guard let room = try load(pin, at: environment.now()) else { return completion(.failure(.roomNotFound)) }
                completion(.success(board.publish(room, ifUnchangedSince: removals)))
            } catch {
                environment.storeFailed(error)
                completion(.failure(.storeUnavailable))
            }
        }
    }
}
