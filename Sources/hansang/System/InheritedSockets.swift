import Glibc

/// Listening sockets that were open before this process was, so that no client finds nobody while one process follows another: from
/// systemd (sd_listen_fds(3)), or from the server that this one takes over from.
///
/// Their number stands in `LISTEN_FDS`, the first is descriptor 3, and their names stand in `LISTEN_FDNAMES`. For whom they are is said by
/// `LISTEN_PID`, the process itself; a server that starts its successor cannot know that beforehand and says who is handing over,
/// `LISTEN_PPID`.
struct InheritedSockets: Sendable {
    /// Where clients are.
    private(set) var clients: [Int32] = []
    /// Of the operator's listener: those that are called `admin`.
    private(set) var admin: [Int32] = []
    /// Where the predecessor waits to be told that all is ready but the store, which it still has; `nil` without one.
    private(set) var ready: Int32?

    static let first: Int32 = 3
    /// More than this nobody hands over.
    private static let limit: Int32 = 1024

    /// None.
    init() {}

    init(environment: [String: String], pid: Int32 = getpid(), parent: Int32 = getppid()) {
        let isHandedOver = environment["LISTEN_PPID"] == "\(parent)"
        guard isHandedOver || environment["LISTEN_PID"] == "\(pid)", let text = environment["LISTEN_FDS"], let count = Int32(text),
            (1...Self.limit).contains(count)
        else { return }
        let names = (environment["LISTEN_FDNAMES"] ?? "").split(separator: ":", omittingEmptySubsequences: false)
        for index in 0..<count {
            let descriptor = Self.first + index
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            switch Int(index) < names.count ? names[Int(index)] : "" {
            case "admin": admin.append(descriptor)
            case "ready" where isHandedOver: ready = descriptor
            default: clients.append(descriptor)
            }
        }
    }

    var isEmpty: Bool { clients.isEmpty && admin.isEmpty }

    /// Lets the predecessor go: from now on its store is waited for.
    ///
    /// - Throws: where it has gone already. It was told to end, or has failed, and nobody who started it knows of this process.
    func tellReady() throws(FileError) {
        guard let ready else { return }
        defer { close(ready) }
        guard FileDescriptor(number: ready).write([Self.readyByte]) else {
            throw FileError(description: "the server that was to hand over has ended")
        }
    }

    static let readyByte = UInt8(ascii: "R")
}
