import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("A conversation over a socket")
struct ConversationTests {
    @Test("One connection serves one request after another")
    func keepAlive() throws {
        let server = try TestServer()
        let client = try Client(port: server.port)
        for number in 1...20 {
            client.get("/\(number)")
            #expect(client.responses(number)?.last == "/\(number)")
        }
        #expect(!client.isEnded)
    }

    @Test("Pipelined requests are answered in order, though the first takes longest, and one at a time")
    func pipelining() throws {
        let inProgress = Log<Int>()
        let server = try TestServer { request, reply in
            inProgress.append(1)
            let answer = Response(Status(200), body: request.path + Array(" \(inProgress.all.reduce(0, +))".utf8))
            if request.path.last == 0x32 {  // "/…2" is answered here and now
                inProgress.append(-1)
                return reply.send(answer)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(request.path == Array("/1".utf8) ? 100 : 1)) {
                inProgress.append(-1)
                reply.send(answer)
            }
        }
        let client = try Client(port: server.port)
        client.send((1...50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        #expect(client.responses(50) == (1...50).map { "/\($0) 1" })
    }

    @Test("Pipelined answers larger than all buffers come whole and in order")
    func largePipelining() throws {
        let server = try TestServer { request, reply in
            reply.send(Response(Status(200), body: [UInt8](repeating: request.path.last ?? 0, count: 700_000)))
        }
        let client = try Client(port: server.port)
        client.send((1...9).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
        #expect(client.receive { $0.received.count > 9 * 700_000 && $0.responses(9) != nil })
        #expect(client.responses(9)?.map(\.first) == ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
    }

    @Test("A client that waits for 100 Continue gets it before it sends the body")
    func invitation() throws {
        let server = try TestServer()
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(client.receive("HTTP/1.1 100 Continue\r\n\r\n"))
        #expect(!client.text.contains("200 OK"))
        client.send("hello")
        #expect(client.receive("\r\n\r\nhello"))
    }

    @Test("A body up to the limit comes through, by length and in chunks, however it is cut")
    func largeBody() throws {
        let server = try TestServer()
        let body = [UInt8]((0..<65_536).map { UInt8(truncatingIfNeeded: $0 % 251) })
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65536\r\n\r\n")
        for start in stride(from: 0, to: body.count, by: 7000) { client.send(Array(body[start..<min(start + 7000, body.count)])) }
        #expect(client.receive { $0.received.count > 65_536 && $0.received.suffix(65_536).elementsEqual(body) })
        client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: body.count, by: 4096) {
            client.send(Array("1000;x=y\r\n".utf8) + body[start..<start + 4096] + Array("\r\n".utf8))
        }
        client.send("0\r\n\r\n")
        #expect(client.receive { $0.received.count > 2 * 65_536 && $0.received.suffix(65_536).elementsEqual(body) })
    }

    @Test("A refusal reaches a client that is still sending, and is reported")
    func refusal() throws {
        let server = try TestServer()
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 600000\r\n\r\n")
        client.send([UInt8](repeating: 0, count: 600_000))
        #expect(client.receive("\"code\":\"body-too-large\""))
        #expect(client.text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(client.receiveEnd())
        #expect(server.refusals.wait { $0 == [413] })
    }

    @Test("A client that has shut its sending side still gets its answer, then the end")
    func halfClose() throws {
        let server = try TestServer { request, reply in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { TestServer.echo(request, reply) }
        }
        let client = try Client(port: server.port)
        client.get("/late")
        client.finishSending()
        #expect(client.responses(1) == ["/late"])
        #expect(client.receiveEnd())
    }

    @Test("The responder sees the address of the client")
    func peers() throws {
        for (host, peer) in [("127.0.0.1", "127.0.0.1"), ("::1", "::1")] {
            let server = try TestServer(host: host) { request, reply in
                reply.send(Response(Status(200), body: Array(request.peer.utf8)))
            }
            let client = try Client(port: server.port, host: host)
            client.get("/")
            #expect(client.responses(1) == [peer])
        }
    }

    @Test("A client of IPv4 on a socket of both families is written as IPv4")
    func mappedPeer() throws {
        let server = try TestServer(host: "::") { request, reply in
            reply.send(Response(Status(200), body: Array(request.peer.utf8)))
        }
        let client = try Client(port: server.port)
        client.get("/")
        #expect(client.responses(1) == ["127.0.0.1"])
    }
}
