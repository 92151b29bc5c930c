import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("How streams and long waits end")
struct StreamEndTests {
    @Test("A client that closes, resets or half-closes ends its stream, though nothing is being written")
    func clientGone() throws {
        let server = try StreamServer()
        do {
            let (client, _) = try server.connect()
            withExtendedLifetime(client) {}
        }
        #expect(server.ends.wait { $0 == [.clientGone] })
        try server.connect().client.reset()
        #expect(server.ends.wait { $0.count == 2 })
        let (client, stream) = try server.connect()
        client.finishSending()
        #expect(client.receive { $0.chunks.isWhole })
        #expect(client.receiveEnd())
        stream.send(Array("for nobody".utf8))
        stream.finish()
        #expect(server.ends.all == [.clientGone, .clientGone, .clientGone])
    }

    @Test("A client that has shut its sending side before the stream began gets what there is, and the requests behind it too")
    func halfClosedBefore() throws {
        let server = try StreamServer(content: "now") { open in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { open() }
        }
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\nGET /plain HTTP/1.1\r\nHost: h\r\n\r\n")
        client.finishSending()
        #expect(client.receive("\r\n\r\n3\r\nnow\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(client.receiveEnd())
        #expect(client.text.hasSuffix("/plain"))
        #expect(server.ends.wait { $0 == [.clientGone] })
    }

    @Test("When the server stops, streams say what they still have to say and their last chunk, and no new ones stay open")
    func stop() throws {
        let server = try StreamServer(content: "first") { open in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { open() }
        }
        let clients = try (0..<20).map { _ in try server.connect() }
        let late = try Client(port: server.port)
        late.get("/")
        for (_, stream) in clients { stream.replace(with: Array("last".utf8)) }
        #expect(server.server.stop(within: .seconds(8)))
        for (client, _) in clients {
            #expect(client.receive { $0.chunks.isWhole })
            #expect(client.chunks.pieces == ["first", "last"])
            #expect(client.receiveEnd())
        }
        #expect(server.ends.wait { $0.count >= 20 })
        #expect(server.ends.all.allSatisfy { $0 == .serverStopping })
        for (_, stream) in clients { stream.send(Array("for nobody".utf8)) }
    }

    @Test("A reader that takes nothing is closed in time")
    func deaf() throws {
        let server = try StreamServer(
            limits: .with {
                $0.lingerTimeout = .milliseconds(200)
                $0.writeTimeout = .milliseconds(300)
            })
        let (client, stream) = try server.connect(receiveBuffer: 4096)
        while server.ends.all.isEmpty {
            stream.replace(with: [UInt8](repeating: 0x78, count: 30_000))
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
        }
        #expect(server.ends.all == [.tooSlow])
        #expect(client.receiveEnd())
        #expect(!client.chunks.isWhole)
    }

    @Test("Pieces that may not be left out close a reader that does not keep up")
    func overflow() throws {
        let server = try StreamServer(
            limits: .with {
                $0.maximumStreamBacklog = 100_000
                $0.writeTimeout = .seconds(60)
            })
        let (client, stream) = try server.connect(receiveBuffer: 4096)
        var said = 0
        while server.ends.all.isEmpty, said < 100_000 {
            stream.send([UInt8](repeating: 0x78, count: 1000))
            said += 1
        }
        #expect(server.ends.wait { $0 == [.tooSlow] })
        #expect(client.receiveEnd())
    }

    @Test("Who waits with an answer is told that the client has gone, or has shut its sending side and may still listen")
    func interruption() throws {
        let reasons = Log<CloseReason>()
        let server = try TestServer { request, reply in
            if request.path == Array("/plain".utf8) {
                reply.onInterruption { reasons.append($0) }
                return TestServer.echo(request, reply)
            }
            let wait: @Sendable () -> Void = {
                reply.onInterruption { reason in
                    reasons.append(reason)
                    reply.send(Response(Status(200), body: Array("in haste".utf8)))
                }
            }
            if request.path == Array("/later".utf8) {
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30), execute: wait)
            } else {
                wait()
            }
        }
        for path in ["/", "/later"] {
            let client = try Client(port: server.port)
            client.get("/plain")
            #expect(client.responses(1) == ["/plain"])
            client.get(path)
            client.finishSending()
            #expect(client.responses(2) == ["/plain", "in haste"])
            #expect(client.receiveEnd())
        }
        #expect(reasons.all == [.clientGone, .clientGone])
        let vanishing = try Client(port: server.port)
        vanishing.get("/")
        vanishing.reset()
        #expect(reasons.wait { $0.count == 3 })
    }

    @Test("Who waits with an answer is told that the server stops, and answers in time")
    func interruptedByStop() throws {
        let waiting = Log<Bool>()
        let reasons = Log<CloseReason>()
        let server = try TestServer { _, reply in
            reply.onInterruption { reason in
                reasons.append(reason)
                DispatchQueue.global().async { reply.send(Response(Status(200), body: Array("in haste".utf8))) }
            }
            waiting.append(true)
        }
        let client = try Client(port: server.port)
        client.get("/")
        #expect(waiting.wait { $0.count == 1 })
        #expect(server.stop(within: .seconds(8)))
        #expect(client.responses(1) == ["in haste"])
        #expect(client.text.contains("\r\nConnection: close\r\n"))
        #expect(reasons.all == [.serverStopping])
    }

    @Test("A server that has stopped lets go of its streams, and a stream of its owner")
    func lettingGo() throws {
        weak var stream: (any ResponseStream)?
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            let server = try TestServer { request, reply in
                reply.stream(Response(Status(200), body: [0x2E])).onClose { _, _ in withExtendedLifetime(held) {} }
            }
            let client = try Client(port: server.port)
            client.get("/")
            #expect(client.receive("1\r\n."))
            let streams = try StreamServer()
            stream = try streams.connect().stream
            #expect(server.stop(within: .seconds(8)))
        }
        #expect(eventually { witness == nil && stream == nil })
    }
}
