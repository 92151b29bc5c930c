/// Header fields in the order they came (RFC 9110 §5.3).
public struct Fields: Sendable {
    private var lines: [(name: [UInt8], value: [UInt8])] = []

    public init() {}

    /// Adds a line; `name` in any case.
    public mutating func append(name: [UInt8], value: [UInt8]) { lines.append((name, value)) }

    /// The value of the first line of that name, `nil` without one.
    public subscript(name: FieldName) -> [UInt8]? {
        lines.first { String(decoding: $0.name, as: UTF8.self).lowercased() == name.lowercased }?.value
    }
}
