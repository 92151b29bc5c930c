public import MenuGame
import Synchronization

/// The catalogue that new rooms are opened with, and those that live rooms were.
///
/// A room is played to its end with the catalogue that it began with, also when the server was started with another meanwhile.
public final class CatalogueLibrary: Sendable {
    /// Makes a catalogue of the bytes that were kept under a fingerprint, and throws where they are none any more.
    public typealias Decoder = @Sendable (_ bytes: [UInt8], _ fingerprint: String) throws(StoreError) -> Catalogue

    /// What new rooms are opened with.
    public let current: Catalogue
    private let store: any RoomStore
    private let decode: Decoder
    private let former = Mutex<[String: Catalogue]>([:])

    /// - Parameter bytes: what `current` was read from; kept in the store.
    /// - Throws: where the store cannot keep it: a room opened with it could not be loaded again.
    public init(current: Catalogue, bytes: [UInt8], store: any RoomStore, decode: @escaping Decoder) throws(StoreError) {
        self.current = current
        self.store = store
        self.decode = decode
        try store.keep(catalogue: bytes, fingerprint: current.fingerprint)
    }

    func catalogue(_ fingerprint: String) throws(StoreError) -> Catalogue {
        if fingerprint == current.fingerprint { return current }
        if let known = former.withLock({ $0[fingerprint] }) { return known }
        guard let bytes = try store.catalogue(fingerprint) else { throw StoreError("no catalogue \(fingerprint) in the store") }
        let catalogue = try decode(bytes, fingerprint)
        former.withLock { $0[fingerprint] = catalogue }
        return catalogue
    }
}
