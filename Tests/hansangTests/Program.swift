import Foundation
import Glibc
import TestSupport

/// `hansang` as a process of its own. It is killed when nobody holds it any longer.
///
/// What it prints goes to files: a pipe would be inherited by whatever else the tests start at that moment, and never end.
final class Program: Sendable {
    typealias Ending = ChildProcess.Ending

    private let child: ChildProcess
    private let folder: TemporaryFolder
    private let errorsPath: String

    /// Where the build put it: beside the tests.
    static let path: String = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path + "/hansang"

    /// Starts it.
    ///
    /// - Parameters:
    ///   - environment: variables beside those of the tests, of which those of Hansang are left out.
    ///   - input: what it reads on standard input.
    ///   - workingFolder: a folder of its own where `nil`.
    ///   - errors: a file to write standard error to.
    ///   - sockets: listening sockets that it is handed, as systemd does it.
    ///   - path: another program.
    init(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], workingFolder: String? = nil,
        errors: String? = nil, sockets: [Int32] = [], path: String = Program.path
    ) throws {
        folder = try TemporaryFolder()
        errorsPath = errors ?? folder.path("errors")
        try Data(input).write(to: folder.url.appending(path: "input"))
        let variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HANSANG_") }.merging(environment) { $1 }
            .merging(sockets.isEmpty ? [:] : ["LISTEN_FDS": "\(sockets.count)"]) { $1 }
        // The shell goes where it is to run, and becomes it.
        let shell = ["/bin/sh", "-c", #"export LISTEN_PID=$$; cd "$0" && exec "$@""#, workingFolder ?? folder.url.path, path]
        child = try ChildProcess(shell + arguments, variables: variables) { [folder, errorsPath] files in
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, folder.path("input"), O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, folder.path("output"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errorsPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            for (index, socket) in sockets.enumerated() { posix_spawn_file_actions_adddup2(&files, socket, Int32(3 + index)) }
        }
    }

    deinit { child.kill(SIGKILL) }

    var pid: pid_t { child.pid }

    /// `nil` while it runs.
    var ending: Ending? { child.ending }

    /// `nil` while it runs.
    var endedAt: ContinuousClock.Instant? { child.endedAt }

    /// What it has written to standard output so far.
    var output: [UInt8] { (try? Data(contentsOf: folder.url.appending(path: "output"))).map(Array.init) ?? [] }

    /// What it has written to standard error so far.
    var errors: String { String(decoding: (try? Data(contentsOf: URL(filePath: errorsPath))) ?? Data(), as: UTF8.self) }

    func send(_ signal: Int32) { child.kill(signal) }

    /// Waits for its end; `nil` where it still runs when `limit` is over.
    func end(within limit: Duration = .seconds(30)) async throws -> Ending? {
        _ = try await eventually(within: limit) { ending != nil }
        return ending
    }
}

extension Program {
    /// What is left of a process that has ended by itself.
    struct Remains {
        let ending: Ending?
        let output: [UInt8]
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [Substring] { errors.split(separator: "\n") }
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: [UInt8] = [], workingFolder: String? = nil,
        path: String = Program.path
    ) async throws -> Remains {
        let program = try Program(arguments, environment: environment, input: input, workingFolder: workingFolder, path: path)
        let ending = try await program.end()
        return Remains(ending: ending, output: program.output, errors: program.errors)
    }
}
