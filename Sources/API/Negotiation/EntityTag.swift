import HTTP
import MenuGame

/// Whether `If-None-Match` names this tag: then the client has it already (RFC 9110 §13.1.2, by weak comparison).
func isKnown(_ tag: String, to fields: Fields) -> Bool {
    guard let field = fields.list(.ifNoneMatch) else { return false }
    // A star stands alone: within a list it could be a part of somebody's tag.
    if field == [UInt8(ascii: "*")] { return true }
    let own = opaque(Array(tag.utf8)[...])
    // Our own tags hold no comma, so splitting there cannot cut one in two.
    return field.split(separator: UInt8(ascii: ",")).contains { candidate in
        let words = candidate.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return words.count == 1 && opaque(words[0]) == own
    }
}

private func opaque(_ tag: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    tag.starts(with: [UInt8(ascii: "W"), UInt8(ascii: "/")]) ? tag.dropFirst(2) : tag
}

/// The tag of what has this id, at this point of its life, as somebody sees it.
func weakTag(_ id: Identifier, _ sequence: Int, _ flags: Int) -> String {
    String(atMost: id.text.utf8.count + 64) { tag in
        tag.append("W/\"")
        tag.append(id.text)
        tag.append(UInt8(ascii: "-"))
        tag.append(decimal: sequence)
        tag.append(UInt8(ascii: "-"))
        tag.append(decimal: flags)
        tag.append(UInt8(ascii: "\""))
    }
}

/// The tag of a body: FNV-1a of its bytes, 64 bits. Whatever changes a body, a new catalogue or a new program, changes its tag.
func entityTag(of body: [UInt8]) -> String {
    let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return "\"\(String(hash, radix: 16))\""
}
