import Dispatch
import HTTP
import HTTPServer
import Synchronization

/// A server on a port of its own, stopped with the test.
final class TestServer: Sendable {
    let server: Server
    let refusals = Log<Int>()

    init(
        host: String = "127.0.0.1", loops: Int = 2, maxConnections: Int = 1000, limits: ConnectionLimits = ConnectionLimits(),
        respond: @escaping @Sendable (Request, Reply) -> Void = TestServer.echo
    ) throws {
        server = Server(
            configuration: ServerConfiguration(host: host, loops: loops, limits: limits, maxConnections: maxConnections),
            responder: Closure(respond: respond)
        ) { [refusals] status, _ in refusals.append(status.code) }
        try server.start()
    }

    deinit { server.stop(within: .zero) {} }

    var port: Int { server.port }

    private struct Closure: Responder {
        let respond: @Sendable (Request, Reply) -> Void
        func respond(to request: Request, reply: Reply) { respond(request, reply) }
    }

    /// The body of a request, or the path of one without.
    @Sendable static func echo(_ request: Request, _ reply: Reply) {
        reply.send(Response(Status(200), body: request.body.isEmpty ? request.path : request.body))
    }

    /// Stops, and waits for the completion: false if it does not come.
    func stop(within grace: Duration) -> Bool {
        let done = DispatchSemaphore(value: 0)
        server.stop(within: grace) { done.signal() }
        return done.wait(timeout: .now() + 10) == .success
    }
}

/// What happens on other threads, to be waited for.
final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    var all: [Entry] { entries.withLock { $0 } }

    func wait(until condition: ([Entry]) -> Bool) -> Bool { eventually { condition(all) } }
}

/// Whether `condition` comes to hold within ten seconds.
func eventually(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        guard ContinuousClock.now < deadline else { return false }
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
    }
    return true
}

extension ConnectionLimits {
    static func with(_ adjust: (inout ConnectionLimits) -> Void) -> ConnectionLimits {
        var limits = ConnectionLimits()
        adjust(&limits)
        return limits
    }
}
