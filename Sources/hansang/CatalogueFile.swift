import GameJSON
import JSON
import MenuGame

/// A catalogue and the file that it was read from.
struct CatalogueFile: Sendable {
    let catalogue: Catalogue
    let bytes: [UInt8]

    /// Bytes that a catalogue may be long.
    private static let limit = 16 << 20

    init(_ path: String) throws(CatalogueFileError) {
        do throws(FileError) { bytes = try contents(of: path, limit: Self.limit) } catch {
            throw CatalogueFileError(description: error.description, status: .noInput)
        }
        do throws(CatalogueFaults) { catalogue = try Self.catalogue(in: bytes) } catch {
            let faults = error.faults.map { "\($0.pointer) \($0.detail)" }
            throw CatalogueFileError(description: "\(path) is no playable catalogue:", faults: faults, status: .badInput)
        }
    }

    /// The catalogue in `bytes`; its fingerprint is their SHA-256.
    static func catalogue(in bytes: [UInt8]) throws(CatalogueFaults) -> Catalogue {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: bytes) } catch {
            throw CatalogueFaults([CatalogueFault("", "is no JSON: byte \(error.offset): \(error.detail)")])
        }
        return try Catalogue(json: json, fingerprint: sha256(bytes), for: .play)
    }
}

/// Why a file gives no catalogue.
struct CatalogueFileError: Error, CustomStringConvertible {
    let description: String
    /// One line each, with its place.
    var faults: [String] = []
    let status: ExitStatus
}
