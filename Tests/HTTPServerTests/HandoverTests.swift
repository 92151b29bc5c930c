import Glibc
import HTTP
import HTTPServer
import Testing

@Suite("Listening sockets that go from one server to another")
struct HandoverTests {
    private static func server(inheriting sockets: [Int32], loops: Int = 2, answer: String) -> Server {
        var configuration = ServerConfiguration(host: "nowhere", port: -1, loops: loops)
        configuration.inherited = sockets
        return Server(configuration: configuration, responder: Constant(answer: answer))
    }

    private struct Constant: Responder {
        let answer: String

        func respond(to request: Request, reply: Reply) { reply.send(Response(Status(200), body: Array(answer.utf8))) }
    }

    @Test("Clients that connect while there is nobody to answer wait, and are answered by the next", arguments: [1, 2, 5])
    func waiting(loops: Int) throws {
        let first = Server(configuration: ServerConfiguration(loops: 3), responder: Constant(answer: "first"))
        try first.start()
        #expect(first.sockets.count == 3)
        // As it would be in another process.
        let copies = first.sockets.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        defer { for copy in copies { close(copy) } }
        let busy = try Client(port: first.port)
        busy.get("/")
        #expect(busy.responses(1) == ["first"])
        let stopped = Log<Bool>()
        first.stop(within: .seconds(8), handingOver: true) { stopped.append(true) }
        // The connection is idle, and has a moment yet.
        busy.get("/")
        #expect(busy.responses(2) == ["first", "first"])
        #expect(busy.receiveEnd())
        #expect(stopped.wait { $0 == [true] })

        let clients = try (0..<50).map { _ in try Client(port: first.port) }
        for client in clients { client.get("/") }
        let second = Self.server(inheriting: copies, loops: loops, answer: "second")
        try second.start()
        #expect(second.port == first.port)
        for client in clients { #expect(client.responses(1) == ["second"]) }
        second.stop(within: .zero) {}
    }

    @Test("An idle connection is closed all the same, soon")
    func idle() throws {
        let server = Server(configuration: ServerConfiguration(loops: 1), responder: Constant(answer: ""))
        try server.start()
        let idle = try Client(port: server.port)
        idle.get("/")
        #expect(idle.responses(1) == [""])
        let stopped = Log<Bool>()
        server.stop(within: .seconds(60), handingOver: true) { stopped.append(true) }
        #expect(idle.receiveEnd())
        #expect(stopped.wait { $0 == [true] })
    }

    @Test("One socket is shared by all loops, and is what is handed on")
    func shared() throws {
        let first = Server(configuration: ServerConfiguration(loops: 1), responder: Constant(answer: "first"))
        try first.start()
        let copies = first.sockets.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        defer { for copy in copies { close(copy) } }
        first.stop(within: .zero, handingOver: true) {}
        let second = Self.server(inheriting: copies, loops: 4, answer: "second")
        try second.start()
        #expect(second.sockets.count == 1)
        let clients = try (0..<40).map { _ in try Client(port: second.port) }
        for client in clients { client.get("/") }
        for client in clients { #expect(client.responses(1) == ["second"]) }
        let stopped = Log<Bool>()
        second.stop(within: .seconds(8)) { stopped.append(true) }
        #expect(stopped.wait { $0 == [true] })
        // It was not its own, so that who comes now still finds it open.
        #expect(throws: Never.self) { try Client(port: first.port) }
    }

    @Test("What is no listening socket is refused")
    func wrong() {
        let plain = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let local = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { for descriptor in [plain, local] { close(descriptor) } }
        for descriptor in [plain, local, 9999, -1] {
            #expect(throws: ListenError.notListening(descriptor)) { try Self.server(inheriting: [descriptor], answer: "").start() }
        }
    }
}
