import Foundation
import JSON
import Testing

/// The vectors of the rule: cases with their right answers.
enum Golden {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        /// As `RecommendationCase` takes it, the catalogue inline.
        let question: JSONValue
        let expected: JSONValue

        var testDescription: String { name }
    }

    static let vectors: [Vector] = {
        guard let file = try? read(), let cases = file["cases"]?.array, let catalogues = file["catalogues"] else { return [] }
        return cases.compactMap { vector($0, catalogues) }
    }()

    private static func read() throws -> JSONValue {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/golden.json")
        return try JSONValue(parsing: Data(contentsOf: file))
    }

    private static func vector(_ json: JSONValue, _ catalogues: JSONValue) -> Vector? {
        guard case .object(let members) = json, let name = json["name"]?.string, let expected = json["expected"],
            let catalogue = json["catalogue"]?.string.flatMap({ catalogues[$0] })
        else { return nil }
        let question = members.compactMap { member in
            switch member.name {
            case "catalogue": JSONValue.Member("catalogue", catalogue)
            case "expected": nil
            default: member
            }
        }
        return Vector(name: name, question: .object(question), expected: expected)
    }
}
