import HTTP

/// The device token of a request: 16 to 4096 visible ASCII characters behind `Authorization: Bearer` (RFC 6750 §2.1).
///
/// - Returns: `nil` without one, and where it is malformed.
func bearerToken(_ fields: Fields) -> ArraySlice<UInt8>? {
    // Of two, nobody could say which is meant.
    guard let field = fields.only(.authorization), field.starts(with: bearer, by: { $0.asciiLowercased == $1 }) else { return nil }
    let token = field.dropFirst(bearer.count).drop { $0 == UInt8(ascii: " ") }
    return isToken(token) ? token : nil
}

/// The scheme is compared without regard to case (RFC 9110 §11.1).
private let bearer = Array("bearer ".utf8)

/// Whether a device token can look like this.
func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    APIBounds.token.contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
}
