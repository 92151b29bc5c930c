/// A field name (RFC 9110 §5.1): compared without regard to case, so it is kept in lower case.
public struct FieldName: Hashable, Sendable {
    public let lowercased: String

    /// `literal` must be a legal token; field names are written in the source and never come from outside.
    public init(_ literal: StaticString) { lowercased = "\(literal)".lowercased() }
}
