/// Finds the end of a head, looking at every byte once however the head is cut.
///
/// It refuses on sight what no legal head can hold, so that garbage (a TLS hello, a bare LF) is answered at once and not when its
/// time is up.
struct HeadScanner {
    /// Where the request line begins: behind an empty line, if there is one (RFC 9112 §2.2).
    private(set) var start = 0
    private var lineStart = 0
    private var index = 0

    /// Whether the bytes of the head so far are that empty line, or a part of it, and nothing else.
    var hasOnlyEmptyLine: Bool { index == start && lineStart == start }

    /// Goes on where it stopped; `bytes` is the head from its first byte. The length of the head, `nil` while its end has not come.
    mutating func scan(_ bytes: Span<UInt8>, limit: Int) throws(RequestError) -> Int? {
        let end = min(bytes.count, limit)
        var index = index
        defer { self.index = index }
        while true {
            index = bytes.endOfText(from: index, to: end)
            guard index < end else { break }
            // A bare CR or LF is where two parsers begin to disagree (RFC 9112 §2.2); other controls are illegal (RFC 9110 §5.5).
            guard bytes[index] == .carriageReturn else { throw .malformed }
            guard index &+ 1 < end else { break }
            guard bytes[index &+ 1] == .lineFeed else { throw .malformed }
            let isEmpty = index == lineStart
            index &+= 2
            if isEmpty {
                if lineStart > start { return index }
                guard start == 0 else { throw .malformed }
                start = index
            }
            lineStart = index
        }
        if end == limit { throw lineStart == start ? .targetTooLong : .fieldsTooLarge }
        return nil
    }
}
