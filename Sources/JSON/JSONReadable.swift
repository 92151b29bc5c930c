/// Where members and elements can be read: a value that is held already (`JSONValue`), or a text of which nothing has been copied
/// (`JSONText`).
public protocol JSONReadable {
    /// The text of a string; `nil` for any other value.
    var string: String? { get }
    /// How many members an object has; `nil` for any other value.
    var memberCount: Int? { get }
    /// How many elements an array has; `nil` for any other value.
    var elementCount: Int? { get }

    /// The value of the member of that name, compared as bytes; `nil` where there is none and where this is no object.
    subscript(name: String) -> Self? { get }
    /// The element at a place that is below `elementCount`.
    func element(_ place: Int) -> Self
    /// Hands on the first members of an object, in their order; of another value none.
    func forEachMember(upTo count: Int, _ body: (String, Self) -> Void)
}

extension JSONValue: JSONReadable {
    public var memberCount: Int? { object?.count }
    public var elementCount: Int? { array?.count }

    public func element(_ place: Int) -> JSONValue {
        guard case .array(let elements) = self else { return .null }
        return elements[place]
    }

    public func forEachMember(upTo count: Int, _ body: (String, JSONValue) -> Void) {
        for member in (object ?? []).prefix(count) { body(member.name, member.value) }
    }
}
