import Glibc
public import HTTP

/// Where a server listens and how much it takes on.
public struct ServerConfiguration: Sendable {
    /// An address or name of this machine: `127.0.0.1`, `0.0.0.0`, `::1`, `::` (IPv4 too).
    public var host: String
    /// 0 lets the system choose; `Server.port` tells.
    public var port: Int
    /// Listening sockets that are open already, to be used in place of `host` and `port`. The server works with copies of them.
    public var inherited: [Int32] = []
    /// The number of event loops: one for each active core, unless told otherwise.
    public var loops: Int
    public var limits: ConnectionLimits
    /// Beyond it, new connections wait in the backlog of the kernel until others close. `start` raises the process's limit of open
    /// descriptors as far as it may, and stays so far below it that there are some left for other files.
    public var maxConnections: Int

    public init(
        host: String = "127.0.0.1", port: Int = 0, loops: Int = activeCores, limits: ConnectionLimits = ConnectionLimits(),
        maxConnections: Int = 10_000
    ) {
        self.host = host
        self.port = port
        self.loops = loops
        self.limits = limits
        self.maxConnections = maxConnections
    }

    /// The number of cores that are on.
    public static var activeCores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
