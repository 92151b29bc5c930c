public import MenuGame
import Synchronization

/// The catalogue that new rooms are opened with, and those that live rooms were.
///
/// A room is played to its end with the catalogue that it began with, also when the server has another meanwhile.
public final class CatalogueLibrary: Sendable {
    /// Makes a catalogue of the bytes that were kept under a fingerprint, and throws where they are none any more.
    public typealias Decoder = @Sendable (_ bytes: [UInt8], _ fingerprint: String) throws(StoreError) -> Catalogue

    private struct Shelf {
        var current: Catalogue
        /// What it was read from.
        var bytes: [UInt8]
        /// When the store was told of it.
        var keptAt = ContinuousClock.now
        /// Those that there may be rooms of, the newest first.
        var former: [Catalogue] = []

        func catalogue(_ fingerprint: String) -> Catalogue? {
            fingerprint == current.fingerprint ? current : former.first { $0.fingerprint == fingerprint }
        }
    }

    private let store: any RoomStore
    private let decode: Decoder
    private let shelf: Mutex<Shelf>

    /// - Parameters:
    ///   - bytes: what `current` was read from; kept in the store.
    ///   - unreadable: told of each kept catalogue that is none any more; a room that was opened with it cannot be loaded.
    /// - Throws: where the store cannot keep it: a room opened with it could not be loaded again.
    public init(
        current: Catalogue, bytes: [UInt8], store: any RoomStore, unreadable: (StoreError) -> Void = { _ in }, decode: @escaping Decoder
    ) throws(StoreError) {
        self.store = store
        self.decode = decode
        shelf = Mutex(Shelf(current: current, bytes: bytes))
        try store.keep(catalogue: bytes, fingerprint: current.fingerprint)
        for fingerprint in try store.catalogues() where fingerprint != current.fingerprint {
            do throws(StoreError) { _ = try catalogue(fingerprint) } catch { unreadable(error) }
        }
    }

    /// What new rooms are opened with. Whoever needs it twice asks once: it may be another the next time.
    var current: Catalogue { shelf.withLock(\.current) }

    /// Puts another in the place of the current one, which stays for the rooms that were opened with it. To be called where rooms are
    /// opened from, so that none is being opened with one that the store has just dropped.
    ///
    /// - Throws: where the store cannot keep it; then nothing has changed.
    func replace(with catalogue: Catalogue, bytes: [UInt8]) throws(StoreError) {
        try store.keep(catalogue: bytes, fingerprint: catalogue.fingerprint)
        let kept = Set(try store.catalogues())
        shelf.withLock { shelf in
            let former = [shelf.current] + shelf.former
            shelf.former = former.filter { $0.fingerprint != catalogue.fingerprint && kept.contains($0.fingerprint) }
            (shelf.current, shelf.bytes, shelf.keptAt) = (catalogue, bytes, .now)
        }
    }

    /// Tells a store, now and then, that the current catalogue is still in use: one that several servers share drops what nobody has kept
    /// for long and no room is played with, and cannot know what a server will open its next room with.
    func renew() throws(StoreError) {
        let now = ContinuousClock.now
        let (catalogue, bytes, keptAt) = shelf.withLock { ($0.current, $0.bytes, $0.keptAt) }
        guard store.isShared, now - keptAt >= Bounds.catalogueRenewal else { return }
        try store.keep(catalogue: bytes, fingerprint: catalogue.fingerprint)
        shelf.withLock { shelf in if shelf.current.fingerprint == catalogue.fingerprint { shelf.keptAt = now } }
    }

    /// The store may have lost the current catalogue, too: it is told of it with the next `renew`.
    func doubtStore() { shelf.withLock { $0.keptAt -= Bounds.catalogueRenewal } }

    func catalogue(_ fingerprint: String) throws(StoreError) -> Catalogue {
        if let known = shelf.withLock({ $0.catalogue(fingerprint) }) { return known }
        guard let bytes = try store.catalogue(fingerprint) else { throw StoreError("no catalogue \(fingerprint) in the store") }
        let catalogue = try decode(bytes, fingerprint)
        return shelf.withLock { shelf in
            // Somebody else may have brought it meanwhile.
            if let known = shelf.catalogue(fingerprint) { return known }
            shelf.former.append(catalogue)
            return catalogue
        }
    }

    /// A menu of the current catalogue, or else of one that there may be rooms of; and that catalogue.
    func menu(_ id: Identifier) -> (menu: Catalogue.Menu, catalogue: Catalogue)? {
        shelf.withLock { shelf in
            for catalogue in [shelf.current] + shelf.former {
                if let menu = catalogue.menu(id) { return (menu, catalogue) }
            }
            return nil
        }
    }
}
