import HTTP

/// The text that percent-encoded bytes stand for (RFC 3986 §2.1); `nil` for a broken escape or bytes that are no UTF-8.
func percentDecoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    // Most have nothing to decode.
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
        guard let text = try? UTF8Span(validating: bytes.span) else { return nil }
        return String(copying: text)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var rest = bytes.makeIterator()
    while let byte = rest.next() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else { return nil }
            decoded.append(high << 4 | low)
        case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
        default: decoded.append(byte)
        }
    }
    return String(validating: decoded, as: UTF8.self)
}

/// The pairs of a query (`a=1&b=2`, as HTML forms encode it), in their order; `nil` where an escape is broken.
///
/// - Parameter plusIsSpace: as it is in a form; off for what was written by another rule.
func queryItems(_ query: [UInt8]?, plusIsSpace: Bool = true) -> [(name: String, value: String)]? {
    var items: [(name: String, value: String)] = []
    for pair in (query ?? []).split(separator: UInt8(ascii: "&")) {
        let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = percentDecoded(parts[0], plusIsSpace: plusIsSpace),
            let value = parts.count > 1 ? percentDecoded(parts[1], plusIsSpace: plusIsSpace) : ""
        else { return nil }
        items.append((name, value))
    }
    return items
}
