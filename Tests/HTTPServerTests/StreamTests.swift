import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("Streams")
struct StreamTests {
    @Test("What is said arrives at once and in order, in chunks, and the connection goes on after the last")
    func conversation() throws {
        let server = try StreamServer(content: "hello")
        let (client, stream) = try server.connect()
        #expect(client.receive { $0.chunks.pieces == ["hello"] })
        #expect(client.text.contains("\r\nTransfer-Encoding: chunked\r\n"))
        for number in 1...3 {
            stream.send(Array("piece \(number)".utf8))
            #expect(client.receive { $0.chunks.pieces.last == "piece \(number)" })
        }
        for number in 4...200 { stream.send(Array("piece \(number)".utf8)) }
        stream.finish()
        stream.send(Array("too late".utf8))
        #expect(client.receive { $0.chunks.isWhole })
        #expect(client.chunks.pieces == ["hello"] + (1...200).map { "piece \($0)" })
        #expect(server.ends.wait { $0 == [.finished] })
        client.get("/plain")
        #expect(client.receive("\r\n\r\n/plain"))
    }

    @Test("HTTP/1.0 gets the pieces bare, until the connection ends")
    func http10() throws {
        let server = try StreamServer(content: "a")
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(client.receive("\r\n\r\na"))
        let stream = try #require(server.streams.all.first)
        stream.send(Array("b".utf8))
        #expect(client.receive("\r\n\r\nab"))
        stream.replace(with: Array("c".utf8))
        stream.finish()
        #expect(client.receiveEnd())
        #expect(client.text.hasSuffix("\r\n\r\nabc"))
    }

    @Test("HEAD gets the head only; its stream is over before it began")
    func head() throws {
        let server = try StreamServer(content: "hello")
        let client = try Client(port: server.port)
        client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\nGET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(client.receive("\r\n\r\n/plain"))
        #expect(!client.text.contains("hello"))
        #expect(server.ends.wait { $0 == [.notOpened] })
    }

    @Test("A stream may be the answer to a request that waited")
    func later() throws {
        let server = try StreamServer(content: "late") { open in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) { open() }
        }
        let (client, stream) = try server.connect()
        stream.replace(with: Array("news".utf8))
        #expect(client.receive { $0.chunks.pieces == ["late", "news"] })
    }

    @Test("A second answer finds the request answered, be it a stream or a response")
    func second() throws {
        let ends = Log<CloseReason>()
        let server = try TestServer { request, reply in
            let stream = reply.stream(Response(Status(200)))
            reply.send(Response(Status(500)))
            reply.stream(Response(Status(200))).onClose { ends.append($1) }
            stream.send(Array("one".utf8))
            DispatchQueue.global().async {
                reply.stream(Response(Status(200))).onClose { ends.append($1) }
                stream.finish()
            }
        }
        let client = try Client(port: server.port)
        client.get("/")
        #expect(client.receive { $0.chunks.isWhole })
        #expect(client.chunks.pieces == ["one"])
        #expect(ends.wait { $0 == [.notOpened, .notOpened] })
    }

    @Test("A request behind a stream waits for its end")
    func pipelined() throws {
        let server = try StreamServer()
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /plain/1 HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(server.streams.wait { $0.count == 1 })
        client.get("/plain/2")
        let stream = server.streams.all[0]
        stream.send(Array("piece".utf8))
        #expect(client.receive { $0.chunks.pieces == ["piece"] })
        #expect(!client.text.contains("plain"))
        stream.finish()
        #expect(client.receive("\r\n\r\n/plain/1"))
        #expect(client.receive("\r\n\r\n/plain/2"))
    }

    @Test("A reader that was slow finds the newest snapshot, whole, and few that are old")
    func coalescing() throws {
        let server = try StreamServer(limits: .with { $0.writeTimeout = .seconds(9) })
        let (client, stream) = try server.connect(receiveBuffer: 4096)
        let size = 20_000
        for number in 1...2000 {
            stream.replace(with: Array("\(number) ".utf8) + [UInt8](repeating: 0x78, count: size))
            if number % 100 == 0 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1)) }
        }
        #expect(client.receive { $0.chunks.pieces.last?.hasPrefix("2000 ") == true })
        let pieces = client.chunks.pieces
        #expect(pieces.count < 200)
        #expect(pieces.allSatisfy { $0.hasSuffix("xx") && $0.utf8.count < size + 10 && $0.utf8.count > size })
        let numbers = pieces.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers == numbers.sorted())
        #expect(server.ends.all.isEmpty)
    }

    @Test("A stream is heard from when nothing else is said, and only then")
    func heartbeat() throws {
        let server = try StreamServer(heartbeat: Heartbeat(every: .milliseconds(400), StreamChunk(":\n")), content: "hello")
        let (quiet, _) = try server.connect()
        let (busy, stream) = try server.connect()
        for number in 1...20 {
            stream.replace(with: Array("\(number)".utf8))
            #expect(busy.receive { $0.chunks.pieces.last == "\(number)" })
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
        }
        #expect(quiet.receive { $0.chunks.pieces == ["hello", ":\n", ":\n"] })
        #expect(busy.chunks.pieces.first == "hello")
        #expect(busy.receive { $0.chunks.pieces.last == ":\n" })
    }
}
