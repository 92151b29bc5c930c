import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite("The token key", .serialized, .timeLimit(.minutes(2)))
struct KeyTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The access bits of a file.
    private func mode(_ name: String) -> mode_t {
        var status = stat()
        guard stat(folder.path(name), &status) == 0 else { return .max }
        return status.st_mode & 0o777
    }

    private func start() async throws -> Program.Remains {
        try await Program.run(["serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"])
    }

    @Test("No token is in any file in clear, and no file is for others' eyes")
    func clearText() async throws {
        let server = try await ServerProcess(in: folder, ["--port", "0", "--legacy-api", "--log-level", "debug"])
        let client = try server.client()
        let pin = try await client.open(token(1), json: #"{"nickname":"Grasshopper"}"#)
        for number in 2...4 { #expect(try await client.submit(pin, token(number)).status == 201) }
        // Everything that keeps who somebody is: removal, receipts, rooms of the app, and what is refused.
        #expect(try await client.send("DELETE", "/v1/rooms/\(pin)/members/m_4", token: token(1)).status == 204)
        #expect(try await client.submit(pin, token(4)).code == "removed")
        #expect(try await client.send("PUT", "/v1/rooms/\(pin)/host", token: token(1), json: #"{"memberId":"m_2"}"#).status == 200)
        for (path, number) in [("reveal", 2), ("rounds", 2), ("decision", 3)] {
            let key = ["Idempotency-Key: of-\(path)"]
            _ = try await client.send("POST", "/v1/rooms/\(pin)/\(path)", token: token(number), json: "{}", fields: key)
        }
        #expect(try await client.send("POST", "/v1/solo", token: token(5), json: "{}", fields: ["Idempotency-Key: solo"]).status == 200)
        let opened = try await client.send("POST", "/group?token=\(token(6))")
        #expect(opened.status == 201)
        #expect(try await client.send("GET", "/group/\(opened.text)/gameresultwait?token=\(token(6))").status == 200)
        let stream = try await server.client().events(of: pin, token: token(2))
        _ = try await stream.nextEvent()
        #expect(!server.program.errors.contains("device-token"))
        for isKilled in [false, true] {
            if isKilled { try await server.kill() }
            let files = try folder.names.map { ($0, try Data(contentsOf: URL(filePath: folder.path($0)))) }
            // To see that the search would find something.
            #expect(files.contains { $0.1.contains(Data("Grasshopper".utf8)) })
            for (name, bytes) in files {
                #expect(!bytes.contains(Data("device-token".utf8)), "\(name)")
                #expect(mode(name) & 0o077 == 0, "\(name)")
            }
        }
        #expect(mode("rooms.sqlite.key") == 0o600)
    }

    @Test("Without its key a store is not opened, and with it again all is as it was")
    func missing() async throws {
        let server = try await ServerProcess(in: folder)
        let pin = try await server.client().open(token(1))
        try await server.kill()
        try FileManager.default.moveItem(atPath: folder.path("rooms.sqlite.key"), toPath: folder.path("elsewhere"))
        let remains = try await start()
        #expect(remains.ending == .exit(69))
        #expect(remains.output.isEmpty)
        #expect(remains.lines.count == 1)
        #expect(remains.errors.contains("rooms.sqlite.key is missing"))
        #expect(!folder.names.contains("rooms.sqlite.key"))
        try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: folder.path("rooms.sqlite.key"))
        let again = try await ServerProcess(in: folder)
        #expect(try await again.client().send("GET", "/v1/rooms/\(pin)", token: token(1)).json["isHost"]?.bool == true)
    }

    @Test("A key that others can read, or that is no key, is refused")
    func bad() async throws {
        try await ServerProcess(in: folder).kill()
        chmod(folder.path("rooms.sqlite.key"), 0o640)
        #expect(try await start().errors.contains("chmod 600"))
        chmod(folder.path("rooms.sqlite.key"), 0o600)
        try Data("short".utf8).write(to: URL(filePath: folder.path("rooms.sqlite.key")))
        let remains = try await start()
        #expect(remains.ending == .exit(69))
        #expect(remains.lines.count == 1)
        #expect(remains.errors.contains("is no token key"))
    }

    @Test("Another key than that of its members is refused, by which each of them would be a stranger")
    func another() async throws {
        try await ServerProcess(in: folder).kill()
        try Data(repeating: 7, count: 32).write(to: URL(filePath: folder.path("rooms.sqlite.key")))
        let remains = try await start()
        #expect(remains.ending == .exit(69))
        #expect(remains.lines.count == 1)
        #expect(remains.errors.contains("is not the one"))
    }

    @Test("A file that was only touched is a new store")
    func touched() async throws {
        #expect(FileManager.default.createFile(atPath: folder.path("rooms.sqlite"), contents: nil))
        #expect(try await ServerProcess(in: folder).client().send("GET", "/readyz").status == 200)
    }

    @Test("Killed in the middle of its first start, at whatever moment, it starts the second time")
    func killedStart() async throws {
        for moment in 0..<12 {
            let folder = try TemporaryFolder()
            let first = try Program(["serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"])
            try await onOwnThread {
                let end = ContinuousClock.now + .seconds(30)
                while folder.names.isEmpty, ContinuousClock.now < end {}
                usleep(UInt32(moment) * 500)
                first.send(SIGKILL)
            }
            _ = try await first.end()
            let second = try await ServerProcess(in: folder)
            #expect(try await second.client().send("GET", "/readyz").status == 200)
        }
    }

    @Test("A first start that fails, whatever for, does not keep the second from starting")
    func failedStart() async throws {
        // In the way of the key.
        try FileManager.default.createDirectory(atPath: folder.path("rooms.sqlite.key"), withIntermediateDirectories: false)
        let remains = try await start()
        #expect(remains.ending == .exit(69))
        #expect(remains.lines.count == 1)
        try FileManager.default.removeItem(atPath: folder.path("rooms.sqlite.key"))
        #expect(try await ServerProcess(in: folder).client().send("GET", "/readyz").status == 200)
    }
}
