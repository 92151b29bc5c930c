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
            throw CatalogueFileError(isUnreadable: true, description: error.description)
        }
        do throws(CatalogueReadError) { catalogue = try Self.catalogue(in: bytes) } catch {
            throw CatalogueFileError(isUnreadable: false, description: "\(path) is no playable catalogue:\n\(error)")
        }
    }

    /// The catalogue in `bytes`; its fingerprint is their SHA-256.
    static func catalogue(in bytes: [UInt8]) throws(CatalogueReadError) -> Catalogue {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: bytes) } catch {
            throw CatalogueReadError(description: "  byte \(error.offset): \(error.detail)")
        }
        do throws(CatalogueFaults) { return try Catalogue(json: json, fingerprint: sha256(bytes), for: .play) } catch {
            throw CatalogueReadError(description: error.faults.map { "  \($0.pointer) \($0.detail)" }.joined(separator: "\n"))
        }
    }
}

struct CatalogueReadError: Error, CustomStringConvertible {
    let description: String
}

struct CatalogueFileError: Error, CustomStringConvertible {
    let isUnreadable: Bool
    let description: String
}
