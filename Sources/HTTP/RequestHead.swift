/// A request line and its fields (RFC 9112 §3, §5), taken apart and checked.
struct RequestHead {
    let request: Request
    let exchange: Exchange
    let framing: Framing
    /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    let expectsContinue: Bool

    /// `bytes` is a whole head as `HeadScanner` found it, so every line in it ends in CRLF and holds no control byte but the tab.
    static func read(_ bytes: [UInt8], start: Int, peer: String, limits: ConnectionLimits) throws(RequestError) -> RequestHead {
        var position = start
        let line = try RequestLine.read(bytes, from: &position)
        var lines: [Fields.Line] = []
        lines.reserveCapacity(8)
        var meaning = FieldsMeaning()
        while bytes[position] != .carriageReturn {
            guard lines.count < limits.maximumFieldCount else { throw .fieldsTooLarge }
            let field = try field(bytes, from: &position)
            try meaning.add(field, of: bytes)
            lines.append(field)
        }

        let framing = try meaning.framing.framing(isHTTP10: line.isHTTP10, limit: limits.maximumBodySize)
        switch meaning.hosts {
        case 0 where line.isHTTP10, 1: break
        default: throw .malformed  // exactly one from HTTP/1.1 on (RFC 9112 §3.2)
        }
        if let authority = line.target.authority, let host = meaning.hostLine { lines[host].value = authority }
        // An HTTP/1.0 client does not wait for an interim answer, whatever it writes (RFC 9110 §10.1.1).
        if meaning.hasOtherExpectation, !line.isHTTP10 { throw .expectationFailed }

        let exchange = Exchange(
            isHead: line.method == .head, isHTTP10: line.isHTTP10,
            persists: !meaning.saysClose && (!line.isHTTP10 || meaning.saysKeepAlive))
        let request = Request(
            method: line.method, path: line.target.hasEmptyPath ? [.slash] : Array(bytes[line.target.path]),
            query: line.target.query.map { Array(bytes[$0]) }, fields: Fields(bytes: bytes, lines: lines), peer: peer)
        return RequestHead(
            request: request, exchange: exchange, framing: framing, expectsContinue: meaning.expectsContinue && !line.isHTTP10)
    }

    /// `name ":" OWS value OWS`. No space before the colon (RFC 9112 §5.1); a line that begins with one is an old fold (§5.2).
    private static func field(_ bytes: [UInt8], from position: inout Int) throws(RequestError) -> Fields.Line {
        let start = position
        while bytes[position].isToken { position &+= 1 }
        let name = start..<position
        guard !name.isEmpty, bytes[position] == .colon else { throw .malformed }
        position &+= 1
        let valueStart = position
        position = bytes.span.endOfText(from: valueStart, to: bytes.count)
        let value = bytes.trimmed(valueStart..<position)
        position &+= 2
        return Fields.Line(name: name, value: value)
    }
}
