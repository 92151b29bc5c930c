public import Foundation
import GameJSON
import JSON
public import MenuGame

/// The project's folder.
public let projectFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

public enum Catalogues {
    /// The bytes of the catalogue that is shipped.
    public static func shippedBytes() throws -> [UInt8] {
        Array(try Data(contentsOf: projectFolder.appendingPathComponent("Resources/catalogue.json")))
    }

    public static func shipped() throws -> Catalogue { try read(shippedBytes(), "shipped") }

    public static func read(_ bytes: [UInt8], _ fingerprint: String) throws -> Catalogue {
        try Catalogue(json: JSONValue(parsing: bytes), fingerprint: fingerprint, for: .play)
    }
}
