import Glibc
import HTTP
import HTTPServer
import Testing

@Suite("Starting and stopping")
struct LifecycleTests {
    @Test("A request in progress is answered with Connection: close, idle connections end, new ones find nobody")
    func gracefulStop() throws {
        let replies = Log<Reply>()
        let server = try TestServer { _, reply in replies.append(reply) }
        let idle = try Client(port: server.port)
        let busy = try Client(port: server.port)
        busy.get("/slow")
        #expect(replies.wait { $0.count == 1 })
        let stopped = Log<Bool>()
        server.server.stop(within: .seconds(8)) { stopped.append(true) }
        #expect(idle.receiveEnd())
        #expect(idle.received.isEmpty)
        #expect(eventually { (try? Client(port: server.port)) == nil })  // each loop stops when it gets to it
        #expect(stopped.all.isEmpty)
        replies.all.first?.send(Response(Status(200), body: Array("done".utf8)))
        #expect(busy.responses(1) == ["done"])
        #expect(busy.text.contains("\r\nConnection: close\r\n"))
        #expect(busy.receiveEnd())
        #expect(stopped.wait { $0 == [true] })
    }

    @Test("A request that had arrived when the server was told to stop is answered")
    func arrivedInTime() throws {
        for _ in 0..<20 {
            let server = try TestServer()
            let clients = try (0..<10).map { _ in try Client(port: server.port) }
            for client in clients { client.get("/") }
            #expect(server.stop(within: .seconds(8)))
            for client in clients {
                #expect(client.responses(1) == ["/"])
                #expect(client.receiveEnd())
            }
        }
    }

    @Test("A reply that never comes keeps the server no longer than its grace; stopping twice is stopping")
    func forcedStop() throws {
        let requests = Log<Reply>()
        let server = try TestServer { _, reply in requests.append(reply) }
        let client = try Client(port: server.port)
        client.get("/never")
        #expect(requests.wait { $0.count == 1 })
        #expect(server.stop(within: .milliseconds(100)))
        #expect(client.receiveEnd())
        #expect(client.received.isEmpty)
        #expect(server.stop(within: .zero))
        requests.all.first?.send(Response(Status(200)))
    }

    @Test("A port that another server has is in use, and free again when that one has stopped")
    func portInUse() throws {
        let first = try TestServer(loops: 3)
        let second = Server(configuration: ServerConfiguration(port: first.port), responder: Nobody())
        #expect(throws: ListenError.addressInUse(host: "127.0.0.1", port: first.port)) { try second.start() }
        #expect(first.stop(within: .zero))
        #expect(throws: Never.self) { try second.start() }
        #expect(throws: ListenError.alreadyStarted) { try second.start() }
        second.stop(within: .zero) {}
    }

    @Test("Hosts and ports that cannot be are told from each other")
    func badAddresses() {
        for (host, port, error) in [
            ("no such host", 0, ListenError.badHost("no such host")), ("", 0, .badHost("")),
            ("192.0.2.1", 0, .badHost("192.0.2.1")), ("127.0.0.1", 65_536, .badPort(65_536)), ("127.0.0.1", -1, .badPort(-1)),
        ] {
            let server = Server(configuration: ServerConfiguration(host: host, port: port), responder: Nobody())
            #expect(throws: error) { try server.start() }
            #expect(server.port == 0)
        }
    }

    @Test("Stopping a server that was not started completes")
    func neverStarted() {
        let server = Server(configuration: ServerConfiguration(), responder: Nobody())
        let stopped = Log<Bool>()
        server.stop(within: .seconds(8)) { stopped.append(true) }
        #expect(stopped.wait { $0 == [true] })
    }

    @Test("A server that has stopped lets go of everything, answered or not")
    func lettingGo() throws {
        final class Witness: Sendable {}
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            let server = try TestServer { request, reply in
                withExtendedLifetime(held) { if request.path == Array("/".utf8) { TestServer.echo(request, reply) } }
            }
            let client = try Client(port: server.port)
            client.get("/")
            #expect(client.responses(1) == ["/"])
            client.get("/never")
            #expect(server.stop(within: .milliseconds(50)))
        }
        #expect(eventually { witness == nil })
    }

    private struct Nobody: Responder {
        func respond(to request: Request, reply: Reply) {}
    }
}
