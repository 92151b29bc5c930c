import Glibc

/// Why a server cannot listen.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another socket has the port, of this process or another.
    case addressInUse(host: String, port: Int)
    /// Ports below 1024 need a capability.
    case permissionDenied(host: String, port: Int)
    /// No such host, or one that is not of this machine.
    case badHost(String)
    /// Not in 0...65535.
    case badPort(Int)
    /// What was handed over under this number is no listening TCP socket.
    case notListening(Int32)
    /// `start` was called before.
    case alreadyStarted
    /// What the system says to `operation`.
    case system(operation: String, code: Int32)

    public var description: String {
        switch self {
        case .addressInUse(let host, let port): "\(host) port \(port) is in use"
        case .permissionDenied(let host, let port): "not allowed to listen on \(host) port \(port)"
        case .badHost(let host): "cannot listen on host \"\(host)\": it is no address of this machine"
        case .badPort(let port): "\(port) is no port"
        case .notListening(let descriptor): "descriptor \(descriptor), which was handed over, is no listening TCP socket"
        case .alreadyStarted: "the server was started before"
        case .system(let operation, let code): "\(operation): \(String(cString: strerror(code)))"
        }
    }
}
