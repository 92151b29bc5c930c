import CEpoll
import Glibc

/// A listening socket. Each loop has its own for the one address, and the kernel shares the connections out among them.
struct Listener {
    let descriptor: Int32
    /// Given back to the system when there are no more, so that a connection can be taken and closed rather than left hanging.
    private var spare: Int32

    enum Accepted {
        case connection(Int32, peer: String)
        /// Nobody is waiting.
        case none
        /// The system has no room for another connection just now.
        case exhausted
    }

    /// Opens `count` of them. The first claims the address for itself, which fails if anyone has it; only then it lets the others in:
    /// with `SO_REUSEPORT` from the start, two servers could share a port without a word.
    static func open(
        _ count: Int, host: String, port: Int, writeTimeout: Duration
    ) throws(ListenError) -> (listeners: [Listener], port: Int) {
        var address = try SocketAddress(host: host, port: port)
        var listeners: [Listener] = []
        do throws(ListenError) {
            for _ in 0..<count {
                let listener = try Listener(address, host: host, writeTimeout: writeTimeout, isFirst: listeners.isEmpty)
                listeners.append(listener)
                // With port 0 the system has chosen now, and the others follow.
                if listeners.count == 1 {
                    _ = address.withMutablePointer { getsockname(listener.descriptor, $0, &$1) }
                }
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return (listeners, Int(address.port))
    }

    /// Makes `count` of listening sockets that somebody else has opened, which are shared out among them.
    static func adopt(
        _ inherited: [Int32], _ count: Int, writeTimeout: Duration
    ) throws(ListenError) -> (listeners: [Listener], port: Int) {
        var address = SocketAddress()
        var listeners: [Listener] = []
        do throws(ListenError) {
            for index in 0..<count {
                listeners.append(try Listener(inherited[index % inherited.count], writeTimeout: writeTimeout))
                if index == 0 { _ = address.withMutablePointer { getsockname(listeners[0].descriptor, $0, &$1) } }
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return (listeners, Int(address.port))
    }

    private init(_ inherited: Int32, writeTimeout: Duration) throws(ListenError) {
        var address = SocketAddress()
        var isListening: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(inherited, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening == 1,
            address.withMutablePointer({ getsockname(inherited, $0, &$1) }) == 0, [AF_INET, AF_INET6].contains(address.family)
        else { throw .notListening(inherited) }
        descriptor = fcntl(inherited, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .system(operation: "fcntl", code: errno) }
        spare = Listener.openSpare()
        do throws(ListenError) {
            guard fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0 else {
                throw .system(operation: "fcntl", code: errno)
            }
            try setOptionsOfConnections(writeTimeout: writeTimeout)
        } catch {
            close()
            throw error
        }
    }

    private init(_ address: SocketAddress, host: String, writeTimeout: Duration, isFirst: Bool) throws(ListenError) {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw .system(operation: "socket", code: errno) }
        spare = Listener.openSpare()
        do throws(ListenError) {
            try set(SOL_SOCKET, SO_REUSEADDR, 1)
            if address.family == AF_INET6 { try set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
            try setOptionsOfConnections(writeTimeout: writeTimeout)
            if !isFirst { try set(SOL_SOCKET, SO_REUSEPORT, 1) }
            guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
                switch errno {
                case EADDRINUSE: throw .addressInUse(host: host, port: Int(address.port))
                case EACCES: throw .permissionDenied(host: host, port: Int(address.port))
                case EADDRNOTAVAIL: throw .badHost(host)
                default: throw .system(operation: "bind", code: errno)
                }
            }
            if isFirst { try set(SOL_SOCKET, SO_REUSEPORT, 1) }
            guard listen(descriptor, SOMAXCONN) == 0 else {
                if errno == EADDRINUSE { throw .addressInUse(host: host, port: Int(address.port)) }
                throw .system(operation: "listen", code: errno)
            }
        } catch {
            close()
            throw error
        }
    }

    /// What accepted sockets inherit.
    private func setOptionsOfConnections(writeTimeout: Duration) throws(ListenError) {
        // An answer is written whole, so there is nothing to wait for.
        try set(Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        // Of what the client has no room for, the kernel keeps so much and not megabytes, so that a client that
        // does not read is noticed and costs little. Answers of that size still go out in one call.
        try set(Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 128 * 1024)
        // What the kernel has taken is under the same time-out as what it has not: a client that vanished without a word is found out
        // by the next heartbeat and not after a quarter of an hour of repeats.
        let seconds = max(1, min(writeTimeout.components.seconds, 3600))
        try set(Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, Int32(seconds) * 1000)
    }

    private func set(_ level: Int32, _ option: Int32, _ value: Int32) throws(ListenError) {
        var value = value
        guard setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .system(operation: "setsockopt", code: errno)
        }
    }

    mutating func accept() -> Accepted {
        var address = SocketAddress()
        let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        while true {
            let connection = address.withMutablePointer { accept4(descriptor, $0, &$1, flags) }
            guard connection < 0 else { return .connection(connection, peer: address.host) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE:
                turnOneAway()
                return .exhausted
            case ENOBUFS, ENOMEM: return .exhausted
            default: return .none
            }
        }
    }

    private mutating func turnOneAway() {
        guard spare >= 0 else {
            spare = Listener.openSpare()
            return
        }
        Glibc.close(spare)
        let connection = accept4(descriptor, nil, nil, 0)
        if connection >= 0 { Glibc.close(connection) }
        spare = Listener.openSpare()
    }

    private static func openSpare() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

    func close() {
        Glibc.close(descriptor)
        if spare >= 0 { Glibc.close(spare) }
    }
}
