import Glibc

/// A client that writes raw bytes, and waits with a deadline for what it expects.
final class Client {
    private var descriptor: Int32
    private(set) var received: [UInt8] = []
    private(set) var isEnded = false

    init(port: Int, host: String = "127.0.0.1", receiveBuffer: Int32? = nil) throws {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let address = list else { throw Failure.resolve }
        defer { freeaddrinfo(address) }
        descriptor = socket(address.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        guard connect(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
            close(descriptor)
            throw Failure.connect(errno)
        }
    }

    enum Failure: Error {
        case resolve
        case connect(Int32)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var text: String { String(decoding: received, as: UTF8.self) }

    /// Sends what the server takes; a server that has closed takes nothing.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    func get(_ path: String, fields: String = "") { send("GET \(path) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n") }

    /// The client speaks no more, and still listens.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Vanishes with a reset.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
        (descriptor, isEnded) = (-1, true)
    }

    /// Receives until `condition` holds, the server has closed, or ten seconds have passed; whether it holds.
    func receive(atMost size: Int = 65_536, until condition: (Client) -> Bool) -> Bool {
        var buffer = [UInt8](repeating: 0, count: size)
        let deadline = ContinuousClock.now + .seconds(10)
        while !condition(self) {
            var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard !isEnded, ContinuousClock.now < deadline else { return false }
            guard poll(&item, 1, 100) > 0 else { continue }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { isEnded = true } else { received.append(contentsOf: buffer[..<count]) }
        }
        return true
    }

    func receive(_ text: String) -> Bool { receive { $0.text.contains(text) } }

    func receiveEnd() -> Bool { receive { $0.isEnded } }

    /// The bodies of `count` responses, in the order they came.
    func responses(_ count: Int) -> [String]? {
        var bodies: [String] = []
        _ = receive {
            bodies = $0.bodies
            return bodies.count >= count
        }
        return bodies.count == count ? bodies : nil
    }

    private var bodies: [String] {
        var bodies: [String] = []
        var rest = received[...]
        let separator = Array("\r\n\r\n".utf8)
        let marker = Array("Content-Length: ".utf8)
        while let end = Client.find(separator, in: rest), let length = Client.find(marker, in: rest[..<end]) {
            let digits = rest[(length + marker.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard let size = Int(String(decoding: digits, as: UTF8.self)), rest.endIndex - end - 4 >= size else { break }
            bodies.append(String(decoding: rest[(end + 4)..<(end + 4 + size)], as: UTF8.self))
            rest = rest[(end + 4 + size)...]
        }
        return bodies
    }

    private static func find(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + pattern.count <= bytes.endIndex {
            if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }
}
