import Glibc

/// Tells whoever started the process how far it is: one datagram to the socket that systemd names (sd_notify(3), "Notes"). Where nobody
/// wants to know, nothing happens.
enum ServiceManager {
    struct State {
        let text: String

        static let ready = State(text: "READY=1")
        static let stopping = State(text: "STOPPING=1")
        /// Another process is the service from now on.
        static func handedOver(to pid: Int32) -> State { State(text: "MAINPID=\(pid)") }
    }

    static func notify(_ state: State, to socketName: String? = environmentVariables()["NOTIFY_SOCKET"]) {
        guard let socketName, let (named, length) = address(of: socketName) else { return }
        var address = named
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let message = Array(state.text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }

    /// A path, or behind an @ a name without a file (unix(7)).
    private static func address(of name: String) -> (sockaddr_un, socklen_t)? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return (address, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count))
    }
}
