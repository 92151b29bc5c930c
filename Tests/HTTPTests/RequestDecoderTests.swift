import HTTP
import Testing

@Suite("RequestDecoder")
struct RequestDecoderTests {
    @Test("A body split at every byte is the same request")
    func bodySplit() throws {
        let raw = Array("POST /v1/rooms?a=1&b HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world".utf8)
        for position in 0...raw.count {
            let request = try #require(decode(raw.cut(at: position)).first)
            #expect(request.method == .post)
            #expect(text(request.path) == "/v1/rooms")
            #expect(text(request.query) == "a=1&b")
            #expect(text(request.body) == "hello world")
        }
    }

    @Test("A query is what stands behind the first question mark, and may be empty")
    func queries() throws {
        #expect(try one("GET /a HTTP/1.1\r\nHost: h\r\n\r\n").query == nil)
        #expect(try one("GET /a? HTTP/1.1\r\nHost: h\r\n\r\n").query == [])
        #expect(text(try one("GET /a?b?c HTTP/1.1\r\nHost: h\r\n\r\n").query) == "b?c")
        #expect(text(try one("GET /%41?%3F HTTP/1.1\r\nHost: h\r\n\r\n").path) == "/%41")
    }

    @Test("The authority of an absolute target takes the place of the host, and its empty path is /")
    func absoluteForm() throws {
        let request = try one("GET HTTP://real.example:8080?x HTTP/1.1\r\nHost: other.example\r\n\r\n")
        #expect(text(request.path) == "/")
        #expect(text(request.query) == "x")
        #expect(text(request.fields[FieldName("Host")]) == "real.example:8080")
    }

    @Test("An absolute target with userinfo, without a host or of another scheme is refused")
    func badAbsoluteForm() {
        #expect(refusal("GET http://a@b/ HTTP/1.1\r\nHost: b\r\n\r\n") == 400)
        #expect(refusal("GET http:/// HTTP/1.1\r\nHost: b\r\n\r\n") == 400)
        #expect(refusal("GET ftp://b/ HTTP/1.1\r\nHost: b\r\n\r\n") == 400)
    }

    @Test("A host is a name or an address with or without a port, and nothing else, in the field and in the target")
    func hosts() throws {
        for host in ["h", "a.b-c.example:8080", "127.0.0.1:", "[::1]:80", "[v1.x]", "%41_~!$&'()*+;=", "xn--9n2bp8q.example"] {
            #expect(try one("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").path == [0x2F])
            #expect(text(try one("GET http://\(host)/ HTTP/1.1\r\nHost: x\r\n\r\n").fields[FieldName("Host")]) == host)
        }
        for host in [
            "h:80:90", "h:http", "h:-1", "[::1", "::1]", "[]", "[::1]x", "[::1]80", "a@b", "a/b", "a?b", "a b", "a,b", "%4", "%zz",
            "[[::1]]",
        ] {
            #expect(refusal("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n") == 400)
        }
        for host in ["h:80:90", "h:http", "[::1", "[]", "[::1]x", ":80", "%4"] {
            #expect(refusal("GET http://\(host)/ HTTP/1.1\r\nHost: x\r\n\r\n") == 400)
        }
        #expect(try one("GET / HTTP/1.1\r\nHost:\r\n\r\n").fields[FieldName("Host")] == [])
    }

    @Test("OPTIONS alone may ask for *")
    func asterisk() throws {
        #expect(text(try one("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n").path) == "*")
        #expect(refusal("GET * HTTP/1.1\r\nHost: h\r\n\r\n") == 400)
        #expect(refusal("OPTIONS ** HTTP/1.1\r\nHost: h\r\n\r\n") == 400)
    }

    @Test("Fields keep their order, and are found in any case, all lines of a name too")
    func fields() throws {
        let request = try one("GET / HTTP/1.1\r\nHost: h\r\nX-One: 1\r\nx-oNe:\t2 \r\nX-Empty:\r\n\r\n")
        #expect(request.fields.count == 4)
        #expect(text(request.fields[FieldName("x-one")]) == "1")
        #expect(request.fields.values(of: FieldName("X-ONE")).map { text(Array($0)) } == ["1", "2"])
        #expect(request.fields[FieldName("X-Empty")] == [])
        #expect(request.fields[FieldName("X-None")] == nil)
    }

    @Test("A method that nobody knows reaches the responder, CONNECT does not")
    func methods() throws {
        #expect(try one("BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n").method == Method("BREW"))
        #expect(refusal("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n") == 501)
    }

    @Test("The limits hold to the byte: head, fields, body")
    func limits() {
        let limits = ConnectionLimits()
        func head(_ size: Int) -> String {
            let frame = "GET / HTTP/1.1\r\nHost: h\r\nX: \r\n\r\n"
            return "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "x", count: size - frame.utf8.count))\r\n\r\n"
        }
        #expect(refusal(head(limits.maximumHeadSize)) == nil)
        #expect(refusal(head(limits.maximumHeadSize + 1)) == 431)
        #expect(refusal("GET /\(String(repeating: "x", count: limits.maximumHeadSize))") == 414)
        func fields(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: 1\r\n", count: count - 1) + "\r\n"
        }
        #expect(refusal(fields(limits.maximumFieldCount)) == nil)
        #expect(refusal(fields(limits.maximumFieldCount + 1)) == 431)
        let post = "POST / HTTP/1.1\r\nHost: h\r\n"
        #expect(refusal("\(post)Content-Length: \(limits.maximumBodySize)\r\n\r\n") == nil)
        #expect(refusal("\(post)Content-Length: \(limits.maximumBodySize + 1)\r\n\r\n") == 413)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\n10000\r\n") == nil)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\n10001\r\n") == 413)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n10000\r\n") == 413)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n") == 413)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\n00000000000000001\r\n") == 400)
        let trailers = String(repeating: "X: \(String(repeating: "y", count: 1000))\r\n", count: 20)
        #expect(refusal("\(post)Transfer-Encoding: chunked\r\n\r\n0\r\n\(trailers)\r\n") == 413)
    }

    @Test("Garbage is refused as soon as it shows, a TLS hello with its first byte")
    func garbage() {
        #expect(refusal([0x16]) == 400)
        #expect(refusal("GET / HTTP/1.1\n") == 400)
        #expect(refusal("GET / HTTP/1.1\r\r") == 400)
        #expect(refusal("\r\n\r\n") == 400)
    }

    @Test("HTTP/2 is 505, HTTP/1.7 is served, and HTTP/1.0 keeps the connection only if asked to")
    func versions() {
        #expect(refusal("GET / HTTP/2.0\r\nHost: h\r\n\r\n") == 505)
        #expect(Conversation([Array("GET /healthz HTTP/1.7\r\nHost: h\r\n\r\n".utf8)]).isClosed == false)
        let kept = Conversation([Array("GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n".utf8)])
        #expect(!kept.isClosed)
        #expect(text(kept.output)?.contains("Connection: keep-alive\r\n") == true)
    }

    @Test("An expectation is invited once, before the body and only if the body is not there")
    func expectations() {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
        #expect(Conversation([Array(head.utf8)]).invitations == 1)
        #expect(Conversation([Array(head.utf8), [0x61], [0x62]]).invitations == 1)
        #expect(Conversation([Array(head.utf8) + [0x61]]).invitations == 0)
        #expect(Conversation([Array("GET /healthz HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n".utf8)]).invitations == 0)
        #expect(refusal("POST / HTTP/1.1\r\nHost: h\r\nExpect: a-miracle\r\n\r\n") == 417)
        #expect(refusal("POST / HTTP/1.0\r\nExpect: a-miracle\r\n\r\n") == nil)
    }

    @Test("Transfer codings: unknown before chunked is 501, chunked not last or twice is 400")
    func codings() {
        func coded(_ value: String) -> Int? { refusal("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n") }
        #expect(coded("chunked") == nil)
        #expect(coded("gzip, chunked") == 501)
        #expect(coded("chunked, gzip") == 400)
        #expect(coded("chunked, chunked") == 400)
        #expect(coded("chunked,") == 400)
        #expect(coded("") == 400)
        #expect(coded("xchunked") == 400)
    }

    @Test("No input of any kind can trap")
    func noise() {
        var random = SplitMix(state: 42)
        let seeds = [
            "POST /a?b HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\nT: v\r\n\r\n",
            "POST http://h/a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: a,,close\r\n\r\nabc",
        ].map { Array($0.utf8) }
        for _ in 0..<5000 {
            var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array(" \r\n:,\t0Ff;/?".utf8).randomElement(using: &random) ?? 0, at: index)
                }
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            #expect(Conversation([bytes], thenEnd: true).statuses == Conversation(bytes.cut(at: cut), thenEnd: true).statuses)
        }
    }

    // MARK: Helpers

    private func decode(_ pieces: [[UInt8]]) -> [Request] {
        var decoder = RequestDecoder(limits: ConnectionLimits())
        var requests: [Request] = []
        for piece in pieces {
            var position = 0
            while position < piece.count, case .request(let request, _) = decoder.decode(piece.span, from: &position) {
                requests.append(request)
            }
        }
        return requests
    }

    private func one(_ raw: String) throws -> Request { try #require(decode([Array(raw.utf8)]).first) }

    private func refusal(_ raw: String) -> Int? { refusal(Array(raw.utf8)) }

    private func refusal(_ raw: [UInt8]) -> Int? {
        var decoder = RequestDecoder(limits: ConnectionLimits())
        var position = 0
        guard case .refuse(let refusal, _) = decoder.decode(raw.span, from: &position) else { return nil }
        return refusal.status.code
    }
}

/// A small generator, so that a failure comes again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
