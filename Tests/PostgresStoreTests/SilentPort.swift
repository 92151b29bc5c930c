import Glibc
import TestSupport

/// A port of 127.0.0.1 that takes connections and says nothing, as a server does that hangs.
final class SilentPort {
    let port: UInt16
    private let listener: Int32
    private var connections: [Int32] = []

    struct Failure: Error {
        let code: Int32
    }

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, address, &length) == 0
            }
        }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw Failure(code: errno) }
    }

    /// How many came since this was asked.
    func accepted() -> Int {
        var count = 0
        while case let connection = accept(listener, nil, nil), connection >= 0 {
            connections.append(connection)
            count += 1
        }
        return count
    }

    deinit { for descriptor in [listener] + connections { close(descriptor) } }
}
