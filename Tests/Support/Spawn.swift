public import Foundation
import Glibc

/// Why the system does not start a program.
public struct SpawnError: Error {
    public let code: Int32
}

/// Starts a program as a shell would: no signal of it is blocked or ignored, whatever is so for a thread of the tests. What has no place in
/// `files` it does not inherit, as long as that is closed on exec.
///
/// - Parameters:
///   - arguments: first the path of the program.
///   - variables: the tests' own where nothing is said.
///   - files: says what its descriptors are.
/// - Returns: the process, to be waited for.
public func spawn(
    _ arguments: [String], variables: [String: String] = ProcessInfo.processInfo.environment,
    files: (inout posix_spawn_file_actions_t) -> Void
) throws(SpawnError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    files(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var pid: pid_t = 0
    let code = withStrings(arguments) { argv in
        withStrings(variables.map { "\($0)=\($1)" }) { posix_spawn(&pid, arguments[0], &actions, &attributes, argv, $0) }
    }
    guard code == 0 else { throw SpawnError(code: code) }
    return pid
}

/// An array of C strings with the `nil` behind it, for as long as `body` runs.
private func withStrings<Value>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
