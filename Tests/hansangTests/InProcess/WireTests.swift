import JSON
import TestSupport
import Testing

@Suite("HTTP over the wire", .serialized, .timeLimit(.minutes(2)))
struct WireTests {
    let server: LiveServer

    init() throws { server = try LiveServer(in: TemporaryFolder()) }

    @Test(
        "HEAD is told what GET is told, and gets no body",
        arguments: [
            "/v1/game", "/v1/menus", "/v1/menus/bibimbap", "/v1/rooms/PIN", "/v1/rooms/PIN/submission", "/v1/rooms/PIN/result",
            "/v1/rooms/000", "/images/bibimbap.svg", "/healthz", "/readyz", "/docs", "/openapi.yaml", "/nowhere",
        ])
    func head(target: String) async throws {
        let client = try server.client()
        let pin = try await client.open(token(1))
        _ = try await client.submit(pin, token(1))
        let path = target.replacing("PIN", with: pin)
        // On one connection: a body after HEAD would be taken for the next answer.
        let head = try await client.send("HEAD", path, token: token(1))
        let get = try await client.send("GET", path, token: token(1))
        #expect(head.status == get.status)
        #expect(head.body.isEmpty)
        #expect(!get.body.isEmpty)
        let own = ["Date", "X-Request-ID"]
        #expect(head.fields.map(\.name) == get.fields.map(\.name))
        for (ofHead, ofGet) in zip(head.fields, get.fields) where !own.contains(ofGet.name) { #expect(ofHead == ofGet) }
    }

    @Test("Requests that are sent without waiting are carried out and answered in their order")
    func pipelining() async throws {
        let client = try server.client()
        let pin = try await client.open(token(1))
        var bytes: [UInt8] = []
        for number in 0..<40 {
            bytes += WireClient.request("PUT", "/v1/rooms/\(pin)/members/me", token: token(1), json: #"{"nickname":"no \#(number)"}"#)
            bytes += WireClient.request("GET", "/v1/rooms/\(pin)")
            bytes += WireClient.request("GET", "/nowhere/\(number)")
            bytes += WireClient.request("HEAD", "/v1/menus")
        }
        let requests = bytes
        try await onOwnThread { [client] in
            try client.write(requests)
            for number in 0..<40 {
                #expect(try client.read().status == 200)
                #expect(try client.read().json["members"]?.array?.first?["nickname"]?.string == "no \(number)")
                #expect(try client.read().code == "route-not-found")
                #expect(try client.read(isHead: true).status == 200)
            }
        }
    }

    @Test("A body of a megabyte is refused as too large, and others notice nothing", arguments: ["length", "chunks", "expectation"])
    func largeBody(framing: String) async throws {
        let other = try server.client()
        let pin = try await other.open(token(1))
        let large = try server.client()
        var head = "PUT /v1/rooms/\(pin)/submission HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token(2))\r\n"
        head += framing == "chunks" ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 1048576\r\n"
        head += framing == "expectation" ? "Expect: 100-continue\r\n\r\n" : "\r\n"
        if framing == "chunks" { head += "100000\r\n" }
        let start = Array(head.utf8)
        try await onOwnThread { [large] in
            try large.write(start)
            if framing != "expectation" { try large.write([UInt8](repeating: UInt8(ascii: " "), count: 512 << 10)) }
        }
        #expect(try await other.submit(pin, token(1)).status == 201)
        let refused = try await onOwnThread { [large] in
            if framing != "expectation" { try large.write([UInt8](repeating: UInt8(ascii: " "), count: 512 << 10)) }
            return try large.read()
        }
        #expect(refused.status == 413)
        #expect(refused.code == "body-too-large")
        #expect(refused.json["status"]?.integer == 413)
        #expect(refused["Content-Type"] == "application/problem+json")
        #expect(refused["Connection"] == "close")
        let isEnded = try await onOwnThread { [large] in
            large.finishSending()
            return try large.isEnded()
        }
        #expect(isEnded)
        #expect(try await other.send("GET", "/v1/rooms/\(pin)").json["memberCount"]?.integer == 1)
    }

    @Test(
        "A body that is no JSON is refused, and the connection goes on",
        arguments: [
            Array(#"{"answers":{"rich":"like""#.utf8), Array(repeating: UInt8(ascii: "["), count: 10_000),
            Array(#"{"vetoes":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8), [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0],
        ])
    func malformed(body: [UInt8]) async throws {
        let client = try server.client()
        let pin = try await client.open(token(1))
        let head = "PUT /v1/rooms/\(pin)/submission HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer \(token(1))\r\n"
        let refused = try await onOwnThread { [client] in
            try client.write(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
            return try client.read()
        }
        #expect(refused.status == 400)
        #expect(refused.code == "malformed-json")
        #expect(try await client.send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 0)
        #expect(try await client.submit(pin, token(1)).status == 201)
    }

    @Test("A body that breaks off is no submission")
    func brokenOff() async throws {
        let client = try server.client()
        let pin = try await client.open(token(1))
        let broken = try server.client()
        let request = WireClient.request("PUT", "/v1/rooms/\(pin)/submission", token: token(2), json: #"{"vetoes":["meat"]}"#)
        let refused = try await onOwnThread { [broken] in
            try broken.write(Array(request.dropLast(1)))
            broken.finishSending()
            return try broken.read()
        }
        #expect(refused.status == 400)
        #expect(try await client.send("GET", "/v1/rooms/\(pin)").json["memberCount"]?.integer == 1)
    }

    @Test("Clients whose bytes dribble in hold up nobody, and are answered in the end")
    func slowClients() async throws {
        let quick = try server.client()
        let pin = try await quick.open(token(0))
        // More of them than the server has threads, each somewhere else in its request.
        let slow = try (1...20).map { number in
            (
                try server.client(),
                WireClient.request("PUT", "/v1/rooms/\(pin)/submission", token: token(number), json: #"{"vetoes":["meat"]}"#)
            )
        }
        let length = slow[0].1.count - 1
        for step in 0..<length {
            try await onOwnThread { [slow] in
                for (number, (client, request)) in slow.enumerated() where number * 2 <= step {
                    try client.write([request[step - number * 2]])
                }
            }
            if step % 20 == 0 {
                #expect(try await quick.submit(pin, token(0)).status < 300)
                #expect(try await quick.send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 1)
            }
        }
        let statuses = try await atOnce(0..<slow.count) { [slow] number in
            let (client, request) = slow[number]
            let sent = max(0, length - number * 2)
            for byte in request[sent...] { try client.write([byte]) }
            return try client.read().status
        }
        #expect(statuses.allSatisfy { $0 == 201 })
        #expect(try await quick.send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == 21)
    }

    @Test("A client that reads no answers holds up nobody, and has them all when it reads at last")
    func slowReader() async throws {
        let slow = try server.client()
        let requests = Array((0..<200).map { _ in WireClient.request("GET", "/v1/menus") }.joined())
        try await onOwnThread { [slow] in try slow.write(requests) }
        let quick = try server.client()
        let menus = try await quick.send("GET", "/v1/menus").body
        for _ in 0..<20 { #expect(try await quick.send("GET", "/v1/game").status == 200) }
        let bodies = try await onOwnThread { [slow] in try (0..<200).map { _ in try slow.read().body } }
        #expect(bodies.allSatisfy { $0 == menus })
    }
}
