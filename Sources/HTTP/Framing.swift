/// How the end of a body is known (RFC 9112 §6.3).
enum Framing {
    /// `nothing` stands for a length of 0 too: a request without either field has no body.
    case nothing
    case length(Int)
    case chunked
}

/// Collects what decides on the framing. Whatever two recipients could read in two ways is refused (RFC 9112 §11.2).
struct FramingFields {
    private var length: Int?
    private var isChunked = false

    /// One line of digits and nothing else: no sign, no list, no second line, even an equal one (RFC 9110 §8.6).
    mutating func add(contentLength range: Range<Int>, of head: [UInt8]) throws(RequestError) {
        guard length == nil, !range.isEmpty else { throw .malformed }
        for index in range where !head[index].isDigit { throw .malformed }
        var value = 0
        for index in range {
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(Int(head[index] &- .zero))
            // Too large for an Int is too large for any limit; the value stays at its maximum.
            value = overflow || carry || value == .max ? .max : sum
        }
        length = value
    }

    /// `chunked` alone: an unknown coding before it is 501, anything else leaves the length unknown and is 400 (RFC 9112 §6.1, §6.3).
    mutating func add(transferEncoding range: Range<Int>, of head: [UInt8]) throws(RequestError) {
        guard !isChunked else { throw .malformed }
        guard head.spells("chunked", in: range) else {
            var codings: [Range<Int>] = []
            var start = range.lowerBound
            for index in range where head[index] == .comma {
                codings.append(head.trimmed(start..<index))
                start = index + 1
            }
            let last = head.trimmed(start..<range.upperBound)
            guard head.spells("chunked", in: last), !codings.contains(where: { head.spells("chunked", in: $0) }) else { throw .malformed }
            throw .notImplemented
        }
        isChunked = true
    }

    func framing(isHTTP10: Bool, limit: Int) throws(RequestError) -> Framing {
        if isChunked {
            // With a length beside it, or from a client that cannot know of chunks, it smells of smuggling (RFC 9112 §6.1).
            guard length == nil, !isHTTP10 else { throw .malformed }
            return .chunked
        }
        guard let length, length > 0 else { return .nothing }
        guard length <= limit else { throw .bodyTooLarge }
        return .length(length)
    }
}
