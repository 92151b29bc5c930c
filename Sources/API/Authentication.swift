import HTTP

/// The device token of a request: 16 to 4096 visible ASCII characters behind `Authorization: Bearer` (RFC 6750 §2.1).
///
/// - Returns: `nil` without one, and where it is malformed.
func bearerToken(_ fields: Fields) -> ArraySlice<UInt8>? {
    // Of two, nobody could say which is meant.
    let lines = fields.values(of: .authorization)
    guard lines.count == 1, let field = lines.first else { return nil }
    let scheme: StaticString = "bearer "
    let length = scheme.utf8CodeUnitCount
    let isBearer = scheme.withUTF8Buffer { scheme in field.count > length && zip(field, scheme).allSatisfy { $0.asciiLowercased == $1 } }
    guard isBearer else { return nil }
    let token = field.dropFirst(length).drop { $0 == UInt8(ascii: " ") }
    return isToken(token) ? token : nil
}

/// Whether a device token can look like this.
func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    APIBounds.token.contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
}
