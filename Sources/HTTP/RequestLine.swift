/// `method SP request-target SP HTTP-version` with single spaces (RFC 9112 §3).
struct RequestLine {
    let method: Method
    let target: Target
    let isHTTP10: Bool

    /// `position` moves behind the line, which ends in CRLF.
    static func read(_ bytes: [UInt8], from position: inout Int) throws(RequestError) -> RequestLine {
        let start = position
        while bytes[position].isToken { position &+= 1 }
        guard position > start, bytes[position] == .space else { throw .malformed }
        let method = method(bytes, start..<position)
        let targetStart = position &+ 1
        position = targetStart
        while bytes[position] != .space, bytes[position] != .carriageReturn { position &+= 1 }
        let targetEnd = position
        guard bytes[position] == .space else { throw .malformed }
        let version = position &+ 1
        while bytes[position] != .carriageReturn { position &+= 1 }
        let isHTTP10 = try isHTTP10(bytes, version..<position)
        // A tunnel is for proxies (RFC 9110 §9.3.6); its target has a form of its own, so it is told apart before the target is read.
        guard method != .connect else { throw .notImplemented }
        let target = try Target(in: bytes, targetStart..<targetEnd, method: method)
        position &+= 2
        return RequestLine(method: method, target: target, isHTTP10: isHTTP10)
    }

    /// The usual methods without making a string of them.
    private static func method(_ bytes: [UInt8], _ range: Range<Int>) -> Method {
        func isSpelt(_ text: StaticString) -> Bool {
            text.withUTF8Buffer { text in
                for offset in 0..<text.count where bytes[range.lowerBound &+ offset] != text[offset] { return false }
                return true
            }
        }
        switch range.count {
        case 3 where isSpelt("GET"): return .get
        case 3 where isSpelt("PUT"): return .put
        case 4 where isSpelt("POST"): return .post
        default: return Method(String(decoding: bytes[range], as: UTF8.self))
        }
    }

    /// `HTTP/` DIGIT `.` DIGIT, in capitals. A higher minor version is served as 1.1, the highest we know (RFC 9110 §2.5).
    private static func isHTTP10(_ bytes: [UInt8], _ range: Range<Int>) throws(RequestError) -> Bool {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == 0x48, bytes[start &+ 1] == 0x54, bytes[start &+ 2] == 0x54, bytes[start &+ 3] == 0x50,
            bytes[start &+ 4] == .slash, bytes[start &+ 5].isDigit, bytes[start &+ 6] == 0x2E, bytes[start &+ 7].isDigit
        else { throw .malformed }
        guard bytes[start &+ 5] == .zero &+ 1 else { throw .versionNotSupported }
        return bytes[start &+ 7] == .zero
    }
}
