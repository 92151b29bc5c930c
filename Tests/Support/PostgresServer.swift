import CPostgres
import Foundation
import Glibc
import Synchronization
public import Testing

/// A PostgreSQL server of Debian's, run by `postgres.py`. It ends when nobody holds it any longer, and with the tests at the latest.
public final class PostgresServer: Sendable {
    /// With which its owner connects, password and all.
    public let uri: String
    /// Its standard input and output.
    private let script: Mutex<FileHandle>

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The one that most tests share, each with a schema of its own. It blocks until that has started, so a suite says `.sharesPostgres`.
    public static func shared() throws -> PostgresServer { try sharedServer.get() }

    private static let sharedServer = Result { try PostgresServer([]) }

    /// Starts one, which takes seconds, on a thread of its own.
    ///
    /// - Parameter settings: as `name=value`.
    public static func started(_ settings: [String] = []) async throws -> PostgresServer {
        try await onOwnThread { try PostgresServer(settings) }
    }

    init(_ settings: [String]) throws {
        // No other process that the tests start has a part in it: it would not end with the tests then.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "socketpair: error \(errno)")
        }
        script = Mutex(FileHandle(fileDescriptor: ends[0], closeOnDealloc: true))
        let path = projectFolder.appendingPathComponent("Tests/Support/postgres.py").path
        let started = Result {
            try spawn(["/usr/bin/env", "python3", path] + settings) { files in
                posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO)
                posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO)
            }
        }
        // Nobody but the script has that end, so that what is read from it has an end, too.
        Glibc.close(ends[1])
        let pid = try started.get()
        // Nobody is left behind to be waited for.
        Thread.detachNewThread { [pid] in waitpid(pid, nil, 0) }
        uri = try script.withLock { try Self.line(from: $0) }
    }

    /// Has the script do what it calls `command`, and returns when that is done.
    public func tell(_ command: String) async throws { try await onOwnThread { try self.obey(command) } }

    private func obey(_ command: String) throws {
        try script.withLock { script in
            try script.write(contentsOf: Data("\(command)\n".utf8))
            guard try Self.line(from: script) == "done" else { throw Failure(description: "postgres.py does not \(command)") }
        }
    }

    private static func line(from file: FileHandle) throws -> String {
        var line: [UInt8] = []
        while let byte = try file.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw Failure(description: "postgres.py has ended; standard error says why")
    }

    /// Runs SQL on a connection of its own, by another way than the store.
    ///
    /// - Returns: the first column of what the last statement gave back; an empty text for NULL.
    @discardableResult
    public func run(_ sql: String) throws -> [String] {
        let connection = PQconnectdb(uri)
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw Failure(description: PQerrorMessage(connection).map { String(cString: $0) } ?? "no answer")
        }
        return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
    }
}

extension PostgresServer {
    /// A schema of its own for a test, dropped when nobody holds it any longer.
    public final class Schema: Sendable {
        public let name: String
        public let server: PostgresServer

        /// The server's, with the search path that leads here.
        public var uri: String { uri(as: name) }

        /// - Parameter application: by which its connections can be told from others'.
        public func uri(as application: String) -> String {
            "\(server.uri)?options=-csearch_path%3D\(name)&application_name=\(application)"
        }

        init(on server: PostgresServer) throws {
            name = "test_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
            self.server = server
            try server.run("CREATE SCHEMA \(name)")
        }

        /// Runs SQL in it.
        @discardableResult
        public func run(_ sql: String) throws -> [String] { try server.run("SET search_path = \(name); \(sql)") }

        deinit { _ = try? server.run("SET client_min_messages = error; SET lock_timeout = '10s'; DROP SCHEMA \(name) CASCADE") }
    }

    public func schema() throws -> Schema { try Schema(on: self) }
}

/// Has the shared server started before any of a suite's tests, while nobody is held up: tests share few threads.
public struct SharedPostgres: SuiteTrait, TestTrait {
    public let isRecursive = false

    public func prepare(for test: Test) async throws { _ = try await onOwnThread { try PostgresServer.shared() } }
}

extension Trait where Self == SharedPostgres {
    public static var sharesPostgres: SharedPostgres { SharedPostgres() }
}
