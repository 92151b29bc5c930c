/// A JSON text (RFC 8259) as a value. Members of an object keep their order; names are unique.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The member of that name; `nil` where there is none and where this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var object: [Member]? { if case .object(let members) = self { members } else { nil } }
    public var isNull: Bool { self == .null }
}
