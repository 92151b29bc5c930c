import MenuGame
import UseCases

/// The catalogues that rooms of a store are played with, each read once.
struct StoredCatalogues {
    private var known: [String: Catalogue] = [:]

    /// A room as it is kept.
    ///
    /// - Returns: its catalogue's bytes too, where it is the first with this catalogue.
    /// - Throws: where its catalogue is missing, or is not the one that it was opened with, and where no room is kept like that.
    mutating func room(_ record: RoomRecord, from store: any StoreInspection) throws(StoreError) -> (Room, catalogue: [UInt8]?) {
        var bytes: [UInt8]?
        let catalogue: Catalogue
        if let kept = known[record.catalogue] { catalogue = kept } else { (catalogue, bytes) = try read(record.catalogue, from: store) }
        do throws(RecordFault) { return (try Room(record, catalogue: catalogue), bytes) } catch {
            throw StoreError("room \(record.id) \(error.rawValue)")
        }
    }

    private mutating func read(_ fingerprint: String, from store: any StoreInspection) throws(StoreError) -> (Catalogue, [UInt8]) {
        guard let bytes = try store.catalogue(fingerprint) else { throw StoreError("the catalogue \(fingerprint) is missing") }
        do throws(CatalogueFaults) {
            let catalogue = try CatalogueFile.catalogue(in: bytes)
            guard catalogue.fingerprint == fingerprint else { throw CatalogueFaults([CatalogueFault("", "is another")]) }
            known[fingerprint] = catalogue
            return (catalogue, bytes)
        } catch {
            throw StoreError("the catalogue \(fingerprint) cannot be read")
        }
    }
}
