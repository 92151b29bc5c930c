import Glibc
import JSON
import TestSupport
import Testing

/// `hansang serve` as a process of its own, on a port that was free.
final class ServerProcess: Sendable {
    let program: Program
    let port: Int
    private let folder: TemporaryFolder?

    /// It has ended, or says nothing, before it has started.
    struct NotStarted: Error {
        let ending: Program.Ending?
        let errors: String
    }

    /// Starts it and waits until clients can connect.
    ///
    /// - Parameter folder: where its store is; `nil` to leave that to `arguments` and `environment`.
    init(
        in folder: TemporaryFolder?, _ arguments: [String] = ["--port", "0"], environment: [String: String] = [:],
        workingFolder: String? = nil, errors: String? = nil, sockets: [Int32] = []
    ) async throws {
        let store = folder.map { ["--store", "sqlite:\($0.path("rooms.sqlite"))"] } ?? []
        let program = try Program(
            ["serve"] + store + arguments, environment: environment, workingFolder: workingFolder, errors: errors, sockets: sockets)
        var port: Int64?
        _ = try await eventually {
            port = Self.lines(program.errors).first { $0["event"]?.string == "started" }?["port"]?.integer
            return port != nil || program.ending != nil
        }
        guard let port else { throw NotStarted(ending: program.ending, errors: program.errors) }
        self.program = program
        self.folder = folder
        self.port = Int(port)
    }

    /// Whatever a test was about, no server may have told a token of any.
    deinit {
        if program.errors.contains("device-token-of-number-") { Issue.record("a device token is in the log") }
    }

    func client() throws -> WireClient { try WireClient(port: port, keeping: self) }

    /// What it has logged so far, line by line.
    var log: [JSONValue] { Self.lines(program.errors) }

    /// Ends it without a warning, as a power cut would.
    func kill() async throws {
        program.send(SIGKILL)
        _ = try await program.end()
    }

    private static func lines(_ text: String) -> [JSONValue] {
        // What has no end yet is no line.
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { (try? JSONValue(parsing: Array($0.utf8))) ?? .null }
    }
}
