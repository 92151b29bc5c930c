import HTTP
import HTTPServer

/// A server that streams under every path but `/plain…`, and remembers its streams and how they ended.
final class StreamServer: Sendable {
    let server: TestServer
    let streams = Log<any ResponseStream>()
    let ends = Log<CloseReason>()

    init(
        loops: Int = 2, limits: ConnectionLimits = .quick, heartbeat: Heartbeat? = nil, content: String = "",
        open: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) throws {
        server = try TestServer(loops: loops, limits: limits) { [streams, ends] request, reply in
            if request.path.starts(with: Array("/plain".utf8)) { return TestServer.echo(request, reply) }
            open {
                let head = Response(
                    Status(200), fields: [Field(FieldName("Content-Type"), "text/event-stream")], body: Array(content.utf8))
                let stream = reply.stream(head, heartbeat: heartbeat)
                streams.append(stream)
                stream.onClose { _, reason in ends.append(reason) }
            }
        }
    }

    var port: Int { server.port }

    /// A client that has a stream, and the stream.
    func connect(_ path: String = "/", receiveBuffer: Int32? = nil) throws -> (client: Client, stream: any ResponseStream) {
        let number = streams.all.count
        let client = try Client(port: port, receiveBuffer: receiveBuffer)
        client.get(path)
        guard streams.wait(until: { $0.count > number }), client.receive("\r\n\r\n") else { throw NoStream() }
        return (client, streams.all[number])
    }

    struct NoStream: Error {}
}

extension ConnectionLimits {
    /// So that the loop looks at the clock often.
    static let quick = ConnectionLimits.with { $0.lingerTimeout = .milliseconds(200) }
}

extension Client {
    /// The pieces of the first chunked body that has come, and whether it has ended.
    var chunks: (pieces: [String], isWhole: Bool) {
        var pieces: [String] = []
        guard let head = text.range(of: "\r\n\r\n") else { return ([], false) }
        var rest = text[head.upperBound...].utf8[...]
        while let end = rest.firstIndex(of: 0x0D) {
            guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16) else { break }
            let start = rest.index(end, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex
            if size == 0 { return (pieces, rest.count >= 5) }
            guard let next = rest.index(start, offsetBy: size + 2, limitedBy: rest.endIndex) else { break }
            pieces.append(String(decoding: rest[start..<rest.index(start, offsetBy: size)], as: UTF8.self))
            rest = rest[next...]
        }
        return (pieces, false)
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].utf8.starts(with: text.utf8) {
                return index..<utf8.index(index, offsetBy: text.utf8.count)
            }
            index = utf8.index(after: index)
        }
        return nil
    }
}
