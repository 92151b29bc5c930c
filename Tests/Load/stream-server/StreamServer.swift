import Dispatch
import Glibc
import HTTP
import HTTPServer
import Synchronization

/// What `make bench-streams` and `make slow` try: the engine and nothing else, with no limit changed.
///
/// `GET /healthz` answers `ok`; `GET /events` is a stream; `POST /publish` says its body, behind the time in nanoseconds and a space, to
/// all streams, and answers with their number; `POST` to anything else answers with the body; `GET /big` is 256 KiB.
@main
struct StreamServer: Responder {
    private let hub = Hub()
    private static let head = Response(
        Status(200), fields: [Field(FieldName("Content-Type"), "text/event-stream"), Field(FieldName("Cache-Control"), "no-store")])
    private static let heartbeat = Heartbeat(every: .seconds(15), StreamChunk(":\n\n"))
    private static let big = [UInt8](repeating: 0x78, count: 256 << 10)

    func respond(to request: Request, reply: Reply) {
        switch (request.method, String(decoding: request.path, as: UTF8.self)) {
        case (.get, "/events"): hub.add(reply.stream(Self.head, heartbeat: Self.heartbeat))
        case (.get, "/big"): reply.send(Response(Status(200), body: Self.big))
        case (.get, _): reply.send(Response(Status(200), body: Array("ok".utf8)))
        case (.post, "/publish"): hub.publish(request.body) { reply.send(Response(Status(200), body: Array("\($0)".utf8))) }
        case (.post, _): reply.send(Response(Status(200), body: request.body))
        default: reply.send(Response(Status(405)))
        }
    }

    static func main() throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
        let server = Server(configuration: ServerConfiguration(port: port, maxConnections: 18_000), responder: StreamServer())
        try server.start()
        let greeting = "listening on \(server.port), at most \(server.maxConnections) connections\n"
        write(STDOUT_FILENO, greeting, greeting.utf8.count)
        dispatchMain()
    }
}

/// All streams there are. What is published comes from a queue of its own, as it would from whatever commits the news.
private final class Hub: Sendable {
    private let streams = Mutex<[ObjectIdentifier: any ResponseStream]>([:])
    private let queue = DispatchQueue(label: "publisher")

    func add(_ stream: any ResponseStream) {
        streams.withLock { $0[ObjectIdentifier(stream)] = stream }
        stream.onClose { [self] stream, _ in streams.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(stream)) } }
    }

    func publish(_ news: [UInt8], completion: @escaping @Sendable (Int) -> Void) {
        queue.async { [self] in
            let all = streams.withLock { Array($0.values) }
            var reading = timespec()
            clock_gettime(CLOCK_MONOTONIC, &reading)
            let time = "\(reading.tv_sec * 1_000_000_000 + reading.tv_nsec) "
            Publication.replace(with: StreamChunk(Array(time.utf8) + news), on: all)
            completion(all.count)
        }
    }
}
