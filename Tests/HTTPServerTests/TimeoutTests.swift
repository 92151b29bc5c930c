import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("Time-outs and bounds")
struct TimeoutTests {
    @Test("A head that does not end is answered 408 and reported")
    func slowHead() throws {
        let server = try TestServer(limits: .with { $0.headTimeout = .milliseconds(100) })
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\nHos")
        #expect(client.receive("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(client.receiveEnd())
        #expect(server.refusals.wait { $0 == [408] })
    }

    @Test("A body that does not end is answered 408")
    func slowBody() throws {
        let server = try TestServer(limits: .with { $0.bodyTimeout = .milliseconds(100) })
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhel")
        #expect(client.receive("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(client.receiveEnd())
    }

    @Test("An idle connection is closed without a word, before its first request and after one")
    func idle() throws {
        let server = try TestServer(limits: .with { $0.idleTimeout = .milliseconds(100) })
        let silent = try Client(port: server.port)
        let served = try Client(port: server.port)
        served.get("/")
        #expect(served.responses(1) == ["/"])
        let length = served.received.count
        #expect(silent.receiveEnd())
        #expect(served.receiveEnd())
        #expect(silent.received.isEmpty)
        #expect(served.received.count == length)
    }

    @Test("A client that reads nothing is closed in time, one that reads slowly gets it all")
    func slowReaders() throws {
        let size = 8_000_000
        let server = try TestServer(limits: .with { $0.writeTimeout = .milliseconds(300) }) { _, reply in
            reply.send(Response(Status(200), body: [UInt8](repeating: 0x78, count: size)))
        }
        let deaf = try Client(port: server.port, receiveBuffer: 4096)
        deaf.get("/")
        let slow = try Client(port: server.port, receiveBuffer: 65_536)
        slow.get("/")
        #expect(slow.receive(atMost: 10_000) { $0.received.count > size })
        #expect(server.stop(within: .seconds(8)))
        #expect(deaf.receiveEnd())
        #expect(deaf.received.count < size)
    }

    @Test("A client that asks and asks and does not read has few of its requests begun")
    func unreadAnswers() throws {
        let begun = Log<Int>()
        let size = 50_000
        let server = try TestServer(limits: .with { $0.maximumOutputSize = 200_000 }) { _, reply in
            begun.append(1)
            reply.send(Response(Status(200), body: [UInt8](repeating: 0x78, count: size)))
        }
        let client = try Client(port: server.port, receiveBuffer: 4096)
        let count = 200
        client.send(String(repeating: "GET / HTTP/1.1\r\nHost: h\r\n\r\n", count: count))
        #expect(begun.wait { !$0.isEmpty })
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(200))
        // What the limit allows, what the kernel holds, and the one that is over.
        #expect(begun.all.count < 20)
        #expect(client.receive { $0.received.count > count * size })
        #expect(begun.all.count == count)
    }

    @Test("Beyond the largest number of connections, one has to close before the next is served")
    func connectionCap() throws {
        let server = try TestServer(loops: 1, maxConnections: 2)
        let first = try Client(port: server.port)
        let second = try Client(port: server.port)
        for client in [first, second] {
            client.get("/in")
            #expect(client.responses(1) == ["/in"])
        }
        let third = try Client(port: server.port)
        third.get("/next")
        first.get("/still")
        #expect(first.responses(2) == ["/in", "/still"])
        #expect(third.received.isEmpty)
        second.finishSending()
        #expect(second.receiveEnd())
        #expect(third.responses(1) == ["/next"])
    }
}
