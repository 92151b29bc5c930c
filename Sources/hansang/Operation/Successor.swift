import Glibc

/// Another process of the same program, by now perhaps a newer one, that is to take over: started with the same arguments and with the
/// listening sockets of this one.
///
/// A second server that opened sockets of its own for the port (`SO_REUSEPORT`) would not do: when the first closes its own, the kernel
/// resets the connections that wait in them. Sockets that are passed on are never closed.
struct Successor {
    let pid: pid_t
    /// Where it says that it is ready.
    private let pipe: FileDescriptor

    /// Seconds that it has to get ready.
    private static let patience: Int32 = 30

    /// - Parameters:
    ///   - program: its path, as it was when this process started: what is there now is started.
    ///   - sockets: by the names under which the successor knows them (`InheritedSockets`).
    static func start(
        _ program: String, arguments: [String], environment: [String: String], sockets: [(name: String, descriptor: Int32)]
    ) throws(FileError) -> Successor {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw FileError(description: "socketpair: \(FileDescriptor.lastError)")
        }
        let handed = sockets + [(name: "ready", descriptor: ends[1])]
        // Out of the way of the numbers that they will have.
        let copies = handed.map { fcntl($0.descriptor, F_DUPFD_CLOEXEC, InheritedSockets.first + Int32(handed.count)) }
        close(ends[1])
        defer { for copy in copies { close(copy) } }
        var variables = environment.filter { !$0.key.hasPrefix("LISTEN_") }
        variables["LISTEN_FDS"] = "\(handed.count)"
        variables["LISTEN_FDNAMES"] = handed.map(\.name).joined(separator: ":")
        variables["LISTEN_PPID"] = "\(getpid())"
        var pid: pid_t = 0
        let code = spawn(&pid, program, arguments, variables, copies)
        guard code == 0 else {
            close(ends[0])
            throw FileError(description: "\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        return Successor(pid: pid, pipe: FileDescriptor(number: ends[0]))
    }

    private static func spawn(
        _ pid: inout pid_t, _ program: String, _ arguments: [String], _ variables: [String: String], _ descriptors: [Int32]
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (index, descriptor) in descriptors.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, InheritedSockets.first + Int32(index))
        }
        // What this process ignores, or a thread of it blocks, is this process's affair.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return withStrings(arguments) { argv in
            withStrings(variables.map { "\($0)=\($1)" }) { posix_spawn(&pid, program, &actions, &attributes, argv, $0) }
        }
    }

    /// Waits until it is ready for everything but the store. Blocks.
    ///
    /// - Returns: false where it has ended instead, or is ended since it took too long. Why, it has said itself.
    func isReady() -> Bool {
        var answer = pollfd(fd: pipe.number, events: Int16(POLLIN), revents: 0)
        while poll(&answer, 1, Self.patience * 1000) < 0, errno == EINTR {}
        var byte: UInt8 = 0
        let isReady = answer.revents & Int16(POLLIN) != 0 && read(pipe.number, &byte, 1) == 1 && byte == InheritedSockets.readyByte
        pipe.close()
        if !isReady { end() }
        return isReady
    }

    /// Has it end, and waits until it has.
    func end() {
        kill(pid, SIGTERM)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}

/// An array of C strings with the `nil` behind it, for as long as `body` runs.
private func withStrings<Value>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
