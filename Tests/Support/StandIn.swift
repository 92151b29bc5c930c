import Foundation
import Glibc
public import JSON
import MenuGame

/// The stand-ins for the push services (`Tests/Push/stand_in.py`): a process that speaks their protocols, and does what tests tell it to.
public final class StandIn: Sendable {
    /// Where the services are: FCM, Google's tokens and APNs alike.
    public let origin: String
    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let control: Int

    public struct NotStarted: Error {
        let output: String
    }

    /// Starts it and waits until it listens; its clock shows what `clock` does now, the machine's time where `nil`.
    public init(_ clock: TestClock? = nil) async throws {
        folder = try TemporaryFolder()
        let output = folder.path("output")
        try Data().write(to: URL(filePath: output))
        process = try ChildProcess([projectFolder.appending(path: "Tests/Push/stand-in.sh").path, folder.url.path]) { files in
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output, O_WRONLY | O_APPEND, 0)
        }
        var ports: JSONValue = .null
        let process = process
        _ = try await eventually(within: .seconds(120)) {
            ports = (try? JSONValue(parsing: Array(Data(contentsOf: URL(filePath: output))))) ?? .null
            return !ports.isNull || process.ending != nil
        }
        guard let port = ports["port"]?.integer, let control = ports["control"]?.integer else {
            throw NotStarted(output: String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self))
        }
        origin = "https://localhost:\(port)"
        self.control = Int(control)
        if let clock { try await tell(#"{"now":\#(clock.now.milliseconds)}"#) }
    }

    deinit { process.kill(SIGTERM) }

    /// Of the authority that vouches for it.
    public var authorities: String { folder.path("authority.pem") }

    /// A file that an operator would have: `account.json`, `key.p8`.
    public func path(_ name: String) -> String { folder.path(name) }

    public func file(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.url.appending(path: name))) }

    /// Tells it something, and returns what it has seen so far.
    @discardableResult
    public func tell(_ command: String = "{}") async throws -> JSONValue {
        try await onOwnThread { [control] in try WireClient(port: control).ask("POST", "/", json: command).json }
    }

    /// Has it answer the next requests for a device (or for "token", or "*") like this.
    public func script(_ target: String, _ answers: String...) async throws {
        try await tell(#"{"scripts":{"\#(target)":[\#(answers.joined(separator: ","))]}}"#)
    }

    /// What it has accepted so far, at most a hundred.
    public var accepted: [JSONValue] { get async throws { try await tell()["accepted"]?.array ?? [] } }
}

extension JSONValue {
    /// A number among what the stand-in has counted.
    public func count(_ name: String) -> Int { self[name]?.integer.map(Int.init) ?? -1 }
}
