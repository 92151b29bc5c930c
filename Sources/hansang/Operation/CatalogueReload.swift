import API
import Dispatch
import JSON
import MenuGame
import UseCases

/// Puts the catalogue that is in the file now in the place of the one that was there before, one attempt at a time.
final class CatalogueReload: Sendable {
    /// What came of it: the catalogue that is current, or why it is still the former one.
    enum Outcome: Sendable {
        case loaded(Catalogue, isNew: Bool)
        case refused(String, faults: [String])
        /// The store could not keep it, or the server is stopping.
        case failed
    }

    private let path: String
    private let rooms: Rooms
    private let api: API
    private let log: Log
    private let queue = DispatchQueue(label: "hansang.catalogue")

    /// - Parameter path: of the file that the server was started with.
    init(path: String, rooms: Rooms, api: API, log: Log) {
        self.path = path
        self.rooms = rooms
        self.api = api
        self.log = log
    }

    /// - Parameter completion: called on a queue that it must not block.
    func run(completion: @escaping @Sendable (Outcome) -> Void = { _ in }) {
        queue.async { [self] in
            let file: CatalogueFile
            do throws(CatalogueFileError) { file = try CatalogueFile(path) } catch {
                log.write(.error, in: .admin, "catalogue-refused") { line in
                    line.member("detail", error.description)
                    line.member("faults", array: error.faults) { $0.string($1) }
                }
                return completion(.refused(error.description, faults: error.faults))
            }
            let isNew = file.catalogue.fingerprint != rooms.catalogue.fingerprint
            let isDone = DispatchSemaphore(value: 0)
            rooms.replaceCatalogue(with: file.catalogue, bytes: file.bytes) { [self] result in
                defer { isDone.signal() }
                guard case .success = result else { return completion(.failed) }
                api.showCatalogue()
                log.write(.info, in: .admin, "catalogue-loaded") { line in
                    line.member("menus", file.catalogue.menus.count)
                    line.member("fingerprint", file.catalogue.fingerprint)
                    line.member("isNew", isNew)
                }
                completion(.loaded(file.catalogue, isNew: isNew))
            }
            // The next attempt is to find what this one has left.
            isDone.wait()
        }
    }
}
