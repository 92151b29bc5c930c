/// A request target (RFC 9112 §3.2), as ranges of the head it stands in.
struct Target {
    var path: Range<Int>
    var query: Range<Int>?
    /// The authority of the absolute form, which overrules the Host field (RFC 9112 §3.2.2).
    var authority: Range<Int>?
    /// The absolute form without a path, `http://host` or `http://host?query`, means `/`.
    var hasEmptyPath: Bool { path.isEmpty }

    init(in head: [UInt8], _ range: Range<Int>, method: Method) throws(RequestError) {
        guard let first = range.first else { throw .malformed }
        let end = range.upperBound
        var mark: Int?
        var index = range.lowerBound
        while index < end {
            guard head[index].isTarget else { throw .malformed }
            if head[index] == .questionMark, mark == nil { mark = index }
            index &+= 1
        }
        var start = range.lowerBound
        if head[first] != .slash {
            if head[first] == 0x2A, range.count == 1 {  // the asterisk form is for OPTIONS alone (§3.2.4)
                guard method == .options else { throw .malformed }
                path = range
                return
            }
            let authority = try Target.authority(in: head, range)
            self.authority = authority
            start = authority.upperBound
        }
        if let mark {
            path = start..<mark
            query = mark &+ 1..<end
        } else {
            path = start..<end
        }
    }

    /// The authority of `http://authority/path?query`. Userinfo is an attempt to mislead and is refused (RFC 9110 §4.2.4).
    private static func authority(in head: [UInt8], _ range: Range<Int>) throws(RequestError) -> Range<Int> {
        let start: Int
        if range.count > 7, head.spells("http://", in: range.lowerBound..<range.lowerBound + 7) {
            start = range.lowerBound + 7
        } else if range.count > 8, head.spells("https://", in: range.lowerBound..<range.lowerBound + 8) {
            start = range.lowerBound + 8
        } else {
            throw .malformed
        }
        var end = start
        while end < range.upperBound, head[end] != .slash, head[end] != .questionMark { end &+= 1 }
        // Without a host it names nobody (RFC 9110 §4.2.1).
        guard end > start, head[start] != .colon, head.isAuthority(start..<end) else { throw .malformed }
        return start..<end
    }
}
