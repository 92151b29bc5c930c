/// What the fields say to the protocol itself, gathered line by line. All other fields are the responder's business.
struct FieldsMeaning {
    private(set) var framing = FramingFields()
    private(set) var hosts = 0
    /// The number of the line that holds the host.
    private(set) var hostLine: Int?
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false
    private(set) var expectsContinue = false
    private(set) var hasOtherExpectation = false
    private var lines = 0

    mutating func add(_ line: Fields.Line, of head: [UInt8]) throws(RequestError) {
        switch line.name.count {
        case 4 where head.spells("host", in: line.name):
            guard head.isAuthority(line.value) else { throw .malformed }
            hosts += 1
            hostLine = lines
        case 6 where head.spells("expect", in: line.name):
            if head.spells("100-continue", in: line.value) { expectsContinue = true } else { hasOtherExpectation = true }
        case 10 where head.spells("connection", in: line.name):
            addConnection(line.value, of: head)
        case 14 where head.spells("content-length", in: line.name):
            try framing.add(contentLength: line.value, of: head)
        case 17 where head.spells("transfer-encoding", in: line.name):
            try framing.add(transferEncoding: line.value, of: head)
        default: break
        }
        lines += 1
    }

    /// A list of options in any case (RFC 9110 §7.6.1); `close` wins (RFC 9112 §9.3).
    private mutating func addConnection(_ value: Range<Int>, of head: [UInt8]) {
        var start = value.lowerBound
        while start < value.upperBound {
            var end = start
            while end < value.upperBound, head[end] != .comma { end &+= 1 }
            let option = head.trimmed(start..<end)
            if head.spells("close", in: option) { saysClose = true }
            if head.spells("keep-alive", in: option) { saysKeepAlive = true }
            start = end &+ 1
        }
    }
}
