import HTTP

/// Whether `If-None-Match` names this tag: then the client has it already (RFC 9110 §13.1.2, by weak comparison).
func isKnown(_ tag: String, to fields: Fields) -> Bool {
    let lines = fields.values(of: .ifNoneMatch)
    guard !lines.isEmpty else { return false }
    let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    // Our own tags hold no comma, so splitting there cannot cut one in two.
    return lines.flatMap { String(decoding: $0, as: UTF8.self).split(separator: ",") }.contains { candidate in
        let candidate = candidate.drop { $0 == " " }.prefix { $0 != " " }
        return candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == opaque
    }
}

/// The tag of a body: FNV-1a of its bytes, 64 bits. Whatever changes a body, a new catalogue or a new program, changes its tag.
func entityTag(of body: [UInt8]) -> String {
    let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
}
