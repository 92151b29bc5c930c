import HTTP
import Testing

@Suite("ResponseEncoder")
struct ResponseEncoderTests {
    @Test("A response is a status line, the date, its fields, its length and its content")
    func whole() {
        let response = Response(Status(201), fields: [Field(FieldName("Content-Type"), "text/plain")], body: Array("made".utf8))
        #expect(
            encode(response)
                == "HTTP/1.1 201 Created\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nmade"
        )
    }

    @Test("HEAD gets the length and no content, 204 and 304 neither")
    func noContent() {
        let head = encode(Response(Status(200), body: [1, 2, 3]), Exchange(isHead: true))
        #expect(head.hasSuffix("Content-Length: 3\r\n\r\n"))
        for code in [204, 304] {
            let bare = encode(Response(Status(code), body: [1, 2, 3]))
            #expect(bare.hasSuffix("GMT\r\n\r\n"))
            #expect(!bare.contains("Content-Length"))
        }
    }

    @Test("The last answer says close, one kept for HTTP/1.0 says so, the others say nothing")
    func connection() {
        #expect(encode(Response(Status(200)), Exchange(persists: false)).contains("\r\nConnection: close\r\n"))
        #expect(encode(Response(Status(200)), Exchange(isHTTP10: true)).contains("\r\nConnection: keep-alive\r\n"))
        #expect(!encode(Response(Status(200))).contains("Connection"))
    }

    @Test("A value cannot end its line, and a responder cannot frame the message")
    func splitting() {
        let encoded = encode(
            Response(
                Status(200),
                fields: [
                    Field(FieldName("X-A"), "1\r\nX-B: 2\u{0}"), Field(FieldName("content-length"), "99"),
                    Field(FieldName("Transfer-Encoding"), "chunked"),
                ]))
        #expect(encoded.contains("X-A: 1  X-B: 2 \r\n"))
        #expect(!encoded.contains(": 99"))
        #expect(!encoded.contains("chunked"))
    }

    @Test("A status that is none becomes 500", arguments: [0, 100, 199, 600, -1])
    func badStatus(_ code: Int) { #expect(encode(Response(Status(code))).hasPrefix("HTTP/1.1 500 ")) }

    @Test("A refusal is problem details with a stable code")
    func refusals() {
        for (raw, expected) in [
            (
                "GET /\u{1}",
                #"{"type":"about:blank","title":"Bad Request","status":400,"detail":"The bytes are no request of HTTP/1.1, or could be understood in two ways.","code":"malformed-request"}"#
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n",
                #"{"type":"about:blank","title":"Content Too Large","status":413,"detail":"The body is larger than is taken.","code":"body-too-large"}"#
            ),
            (
                "GET / HTTP/1.1\r\n" + String(repeating: "X: 1\r\n", count: 5000),
                #"{"type":"about:blank","title":"Request Header Fields Too Large","status":431,"detail":"The fields are more or larger than is taken.","code":"headers-too-large"}"#
            ),
        ] {
            let output = text(Conversation([Array(raw.utf8)]).output) ?? ""
            #expect(output.hasSuffix("\r\n\r\n\(expected)"))
            #expect(output.contains("\r\nContent-Type: application/problem+json\r\n"))
            #expect(output.contains("\r\nConnection: close\r\n"))
        }
    }

    @Test("A refused HEAD has no content either")
    func refusedHead() {
        for pieces in [["HEAD / HTTP/1.1\r\n\r\n"], ["HEAD / HT", "TP/1.1\r\nA\u{0}"], ["HEAD / \u{0}"]] {
            #expect(text(Conversation(pieces.map { Array($0.utf8) }).output)?.hasSuffix("\r\n\r\n") == true)
        }
    }

    @Test("Dates are those of the calendar, leap days included")
    func dates() {
        for (seconds, expected) in [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] {
            #expect(text(HTTPDate(secondsSince1970: seconds).bytes) == expected)
        }
    }

    private func encode(_ response: Response, _ exchange: Exchange = Exchange()) -> String {
        var output: [UInt8] = []
        ResponseEncoder.encode(response, for: exchange, date: HTTPDate(secondsSince1970: 784_111_777), into: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
