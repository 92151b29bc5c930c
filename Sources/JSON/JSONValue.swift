/// A JSON text (RFC 8259) as a value. Members of an object keep their order; names are unique.
///
/// `==` compares texts as Swift does, by canonical equivalence. Ids have to be compared as bytes (`MenuGame.Identifier`).
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number without a fraction and an exponent; one that does not fit is refused.
    case integer(Int64)
    /// A number with a fraction or an exponent, so `1.0` and `1e2` too. Finite.
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name and its value in an object.
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSONValue

        /// The name is taken as it is; that no other member of the object has it is the caller's to see to.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the member of that name, compared as bytes, in O(members); `nil` where there is none and where this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name.utf8.count == name.utf8.count && $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The text of a string; `nil` for any other value. So with those below: nothing is converted, and `1.0` is no integer.
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    public var object: [Member]? { if case .object(let members) = self { members } else { nil } }
    public var isNull: Bool { self == .null }
}
