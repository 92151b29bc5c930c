import Foundation
public import Testing

/// One of the raw requests of `Tests/Conformance/cases.json`, with the answers that RFC 9110 and 9112 allow.
public struct RawCase: Decodable, Sendable, CustomTestStringConvertible {
    public struct Expectation: Decodable, Sendable {
        /// What the first answer may be.
        public var status: [Answer]
        /// The stricter answer that we hold ourselves to.
        public var demand: [Answer]?
        public var mustClose: Bool?
        /// How many answers there are; more is request smuggling.
        public var responses: Int?
        public var body: String?
        public var noBody: Bool?

        enum CodingKeys: String, CodingKey {
            case status, demand, responses, body
            case mustClose = "must_close"
            case noBody = "no_body"
        }
    }

    /// A status or the name of a class of them.
    public enum Answer: Decodable, Sendable {
        case code(Int)
        case name(String)

        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let code = try? container.decode(Int.self) { self = .code(code) } else { self = .name(try container.decode(String.self)) }
        }

        var name: String {
            switch self {
            case .code(let code): "\(code)"
            case .name(let name): name
            }
        }
    }

    public var name: String
    public var expect: Expectation
    /// The client shuts its sending side.
    public var halfClose: Bool?
    private var raw: String

    enum CodingKeys: String, CodingKey {
        case name, raw, expect
        case halfClose = "half_close"
    }

    public var bytes: [UInt8] { [UInt8](latin1: raw) }
    public var testDescription: String { name }

    public static func all() throws -> [RawCase] {
        let file = projectFolder.appendingPathComponent("Tests/Conformance/cases.json")
        return try JSONDecoder().decode([RawCase].self, from: Data(contentsOf: file))
    }

    public static func className(_ status: Int) -> String { 200..<300 ~= status ? "2xx" : "\(status)" }
}

extension [RawCase.Answer] {
    public func contains(_ name: String) -> Bool { contains { $0.name == name } }
}

extension [UInt8] {
    /// Latin-1: one character a byte.
    public init(latin1 text: String) { self = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}
