/// A field name (RFC 9110 §5.1): compared without regard to case, sent as it is spelt.
public struct FieldName: Hashable, Sendable {
    let literal: StaticString

    /// `literal` must be a legal token; field names are written in the source and never come from outside.
    public init(_ literal: StaticString) { self.literal = literal }

    /// As a program compares and prints names: `content-type`. Makes a string, so not for the path of every request.
    public var lowercased: String { "\(literal)".lowercased() }

    public static func == (left: FieldName, right: FieldName) -> Bool {
        right.literal.withUTF8Buffer { left.spells($0) }
    }

    public func hash(into hasher: inout Hasher) {
        literal.withUTF8Buffer { for byte in $0 { hasher.combine(byte.asciiLowercased) } }
    }

    /// Whether `bytes` are this name in any case.
    func spells(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard literal.utf8CodeUnitCount == bytes.count else { return false }
        return literal.withUTF8Buffer { literal in
            for index in 0..<bytes.count where literal[index].asciiLowercased != bytes[index].asciiLowercased { return false }
            return true
        }
    }
}
