import CJansson

/// Why bytes are no JSON that we take.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong, in English. It may quote the input near the fault, so it is for whoever sent it and not for a log.
    public let detail: String
    /// Bytes from the start to where it went wrong.
    public let offset: Int
}

/// The root of what Jansson makes of a text, all of which lies in `arena`.
func parse(_ bytes: [UInt8], _ maximumDepth: Int, in arena: JSONArena) throws(JSONError) -> UnsafeMutablePointer<json_t> {
    // Jansson recurses to a fixed depth of 2,048, so ours is bounded before it starts.
    if let offset = offset(in: bytes, deeperThan: maximumDepth) {
        throw JSONError(detail: "nested deeper than \(maximumDepth)", offset: offset)
    }
    var error = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY)
    let root = bytes.withUnsafeBytes { bytes in arena.use { json_loadb(bytes.baseAddress, bytes.count, flags, &error) } }
    guard let root else { throw JSONError(detail: text(of: error), offset: max(0, Int(error.position))) }
    return root
}

private func offset(in bytes: [UInt8], deeperThan limit: Int) -> Int? {
    // Hardly any has so many brackets that they could be nested so deep, and to count them is quick: `[` is `{` but for one bit.
    var brackets = 0
    for byte in bytes where byte | 0x20 == UInt8(ascii: "{") { brackets &+= 1 }
    guard brackets > limit else { return nil }
    var depth = 0
    var inString = false
    var escaped = false
    for (offset, byte) in bytes.enumerated() {
        if inString {
            if escaped {
                escaped = false
            } else if byte == UInt8(ascii: "\\") {
                escaped = true
            } else if byte == UInt8(ascii: "\"") {
                inString = false
            }
            continue
        }
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth > limit { return offset }
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
    }
    return nil
}

/// Jansson's own words. They may quote the input near the fault, so they are for whoever sent it and not for a log.
private func text(of error: json_error_t) -> String {
    withUnsafeBytes(of: error.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
}
