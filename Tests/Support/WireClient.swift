import Glibc
import Synchronization

/// One HTTP/1.1 connection to a server on this machine: writes what it is told, bytes as they are, and reads answers strictly.
///
/// The calls block for as long as the client is patient; the ones that are `async` do so on a thread of their own.
public final class WireClient: Sendable {
    private let descriptor: Int32
    /// What has come and was not read as an answer yet.
    let unread = Mutex<[UInt8]>([])
    private let server: (any Sendable)?

    /// Connects.
    ///
    /// - Parameters:
    ///   - server: what is to live as long as this client does.
    ///   - patience: seconds to wait for the server, in all that is done.
    ///   - receiveBuffer: bytes that the kernel is to take before they are read; as it likes where `nil`.
    public init(port: Int, keeping server: (any Sendable)? = nil, patience: Int = 30, receiveBuffer: Int32? = nil) throws(WireError) {
        self.server = server
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno: errno) }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        // What is written in pieces comes in pieces.
        var isOn: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let connected = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { connect(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
        }
        // The descriptor is closed with this object, which exists as soon as all its members do.
        guard connected == 0 else { throw .system("connect", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Whether nobody listens on a port any more.
    ///
    /// Not when a connection fails in another way: of several listening sockets on one port, one that is closed while it takes a
    /// connection resets it, though the others still listen and their connections know of no end yet.
    public static func isRefused(port: Int) -> Bool {
        do throws(WireError) { _ = try WireClient(port: port) } catch {
            if case .system(_, ECONNREFUSED) = error { return true }
        }
        return false
    }

    /// Sends a request and reads its answer.
    public func ask(
        _ method: String, _ target: String, token: String? = nil, json: String? = nil, fields: [String] = []
    ) throws(WireError) -> WireAnswer {
        try write(WireClient.request(method, target, token: token, json: json, fields: fields))
        return try read(isHead: method == "HEAD")
    }

    /// As `ask`, on a thread of its own.
    public func send(
        _ method: String, _ target: String, token: String? = nil, json: String? = nil, fields: [String] = []
    ) async throws -> WireAnswer {
        try await onOwnThread { try self.ask(method, target, token: token, json: json, fields: fields) }
    }

    /// The bytes of a request.
    ///
    /// - Parameter fields: whole lines to add to the head; a `Host` takes the place of the usual one.
    public static func request(
        _ method: String, _ target: String, token: String? = nil, json: String? = nil, fields: [String] = []
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1"] + fields
        if !fields.contains(where: { $0.hasPrefix("Host:") }) { lines.insert("Host: localhost", at: 1) }
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let json { lines += ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"] }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (json ?? "")).utf8)
    }

    public func write(_ bytes: [UInt8]) throws(WireError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { rest = rest.dropFirst(count) } else { try check("send") }
        }
    }

    /// The next answer.
    ///
    /// - Parameter isHead: it answers HEAD, so that no body follows.
    public func read(isHead: Bool = false) throws(WireError) -> WireAnswer {
        try unread.withLock { unread throws(WireError) in
            while true {
                if let answer = try Self.take(from: &unread, isHead: isHead) { return answer }
                guard try receive(into: &unread) else { throw .closed }
            }
        }
    }

    /// Whether the server ends the connection, and without another byte.
    public func isEnded() throws(WireError) -> Bool {
        try unread.withLock { unread throws(WireError) in
            guard unread.isEmpty else { return false }
            return try !receive(into: &unread)
        }
    }

    /// Says that nothing more will be sent.
    public func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Waits for bytes; false at the end of the connection.
    func receive(into unread: inout [UInt8]) throws(WireError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count == 0 { return false }
            if count > 0 {
                unread += chunk.prefix(count)
                return true
            }
            try check("recv")
        }
    }

    /// What to make of a call that has failed; returns where it is to be tried again.
    private func check(_ operation: String) throws(WireError) {
        switch errno {
        case EINTR: return
        case EAGAIN: throw .timedOut
        case ECONNRESET, EPIPE: throw .closed
        default: throw .system(operation, errno: errno)
        }
    }

    static func take(from unread: inout [UInt8], isHead: Bool) throws(WireError) -> WireAnswer? {
        guard let (status, fields, start) = try head(of: unread) else { return nil }
        var length = 0
        if !isHead, status >= 200, status != 204, status != 304 {
            guard let text = fields.first(where: { $0.name == "Content-Length" })?.value, let count = Int(text) else {
                throw .notHTTP("no Content-Length: \(fields)")
            }
            length = count
        }
        guard unread.count >= start + length else { return nil }
        let answer = WireAnswer(status: status, fields: fields, body: Array(unread[start..<start + length]))
        unread.removeFirst(start + length)
        return answer
    }

    /// A head and where it ends; `nil` where that has not come.
    static func head(of bytes: [UInt8]) throws(WireError) -> (status: Int, fields: [(name: String, value: String)], end: Int)? {
        let end = Array("\r\n\r\n".utf8)
        guard let split = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
        let (status, fields) = try WireAnswer.head(bytes[..<split])
        return (status, fields, split + end.count)
    }
}
