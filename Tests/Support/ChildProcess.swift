public import Foundation
import Glibc
import Synchronization

/// A process that the tests have started, by its number, which means it only until it has been waited for.
public final class ChildProcess: Sendable {
    public enum Ending: Hashable, Sendable {
        case exit(Int32)
        case signal(Int32)
    }

    public let pid: pid_t
    private let ended = Mutex<(ending: Ending, at: ContinuousClock.Instant)?>(nil)

    /// Starts it; see `spawn`. Foundation's `Process` may not be started by two threads at once.
    public init(
        _ arguments: [String], variables: [String: String] = ProcessInfo.processInfo.environment,
        files: (inout posix_spawn_file_actions_t) -> Void
    ) throws(SpawnError) {
        pid = try spawn(arguments, variables: variables, files: files)
        Thread.detachNewThread { [self] in waitForEnd() }
    }

    /// `nil` while it runs.
    public var ending: Ending? { ended.withLock { $0?.ending } }

    /// When it ended, noted by a thread that does nothing but wait for that: tests may have to wait for one another. `nil` while it runs.
    public var endedAt: ContinuousClock.Instant? { ended.withLock { $0?.at } }

    public func kill(_ signal: Int32) { ended.withLock { if $0 == nil { _ = Glibc.kill(pid, signal) } } }

    private func waitForEnd() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let now = ContinuousClock.now
        ended.withLock { ended in
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            ended = (status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F), now)
        }
    }
}
