import HTTP

/// Whether `If-None-Match` names this tag: then the client has it already (RFC 9110 §13.1.2, by weak comparison).
func isKnown(_ tag: String, to fields: Fields) -> Bool {
    guard let field = fields[.ifNoneMatch] else { return false }
    let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    // Our own tags hold no comma, so splitting there cannot cut one in two.
    return String(decoding: field, as: UTF8.self).split(separator: ",").contains { candidate in
        let candidate = candidate.drop { $0 == " " }.prefix { $0 != " " }
        return candidate == "*" || (candidate.hasPrefix("W/") ? candidate.dropFirst(2) : candidate) == opaque
    }
}
