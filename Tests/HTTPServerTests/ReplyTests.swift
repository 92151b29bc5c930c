import Dispatch
import HTTP
import HTTPServer
import Testing

@Suite("Replies")
struct ReplyTests {
    @Test("200 connections at once are all answered, from as many threads as there are")
    func parallel() throws {
        let server = try TestServer { request, reply in
            DispatchQueue.global().async { TestServer.echo(request, reply) }
        }
        let clients = try (0..<200).map { _ in try Client(port: server.port) }
        for round in 1...3 {
            for (number, client) in clients.enumerated() { client.get("/\(round)/\(number)") }
            for (number, client) in clients.enumerated() { #expect(client.responses(round)?.last == "/\(round)/\(number)") }
        }
    }

    @Test("A second answer to a request is ignored, at once, later, and when the next request is in progress")
    func second() throws {
        let replies = Log<Reply>()
        let server = try TestServer { request, reply in
            replies.append(reply)
            guard request.path != Array("/wait".utf8) else { return }
            TestServer.echo(request, reply)
            reply.send(Response(Status(500)))
        }
        let client = try Client(port: server.port)
        client.get("/1")
        #expect(client.responses(1) == ["/1"])
        client.get("/wait")
        #expect(replies.wait { $0.count == 2 })
        replies.all[0].send(Response(Status(500), body: [0x21]))
        replies.all[1].send(Response(Status(200), body: [0x32]))
        #expect(client.responses(2) == ["/1", "2"])
        client.get("/3")
        #expect(client.responses(3) == ["/1", "2", "/3"])
    }

    @Test("A client that vanishes in the middle of a request or before its answer harms nobody")
    func vanishing() throws {
        let replies = Log<Reply>()
        let server = try TestServer(loops: 1) { request, reply in
            guard request.path == Array("/wait".utf8) else { return TestServer.echo(request, reply) }
            replies.append(reply)
        }
        for number in 1...20 {
            let client = try Client(port: server.port)
            client.get("/wait")
            #expect(replies.wait { $0.count == number })
            client.reset()
            let partial = try Client(port: server.port)
            partial.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhel")
            partial.reset()
        }
        for reply in replies.all { reply.send(Response(Status(200), body: [UInt8](repeating: 0, count: 100_000))) }
        let client = try Client(port: server.port)
        client.get("/alive")
        #expect(client.responses(1) == ["/alive"])
        #expect(server.stop(within: .seconds(5)))
    }

    @Test("An answer sent on the loop for another connection arrives too")
    func crosswise() throws {
        let waiting = Log<Reply>()
        let server = try TestServer(loops: 1) { request, reply in
            if request.path == Array("/wait".utf8) { return waiting.append(reply) }
            for other in waiting.all { other.send(Response(Status(200), body: request.path)) }
            TestServer.echo(request, reply)
        }
        let waiter = try Client(port: server.port)
        waiter.get("/wait")
        #expect(waiting.wait { $0.count == 1 })
        let client = try Client(port: server.port)
        client.get("/news")
        #expect(client.responses(1) == ["/news"])
        #expect(waiter.responses(1) == ["/news"])
    }
}
