import Foundation
import Glibc
import JSON
import Synchronization
import TestSupport
import Testing

@testable import hansang

@Suite("An upgrade", .serialized, .timeLimit(.minutes(10)))
struct UpgradeTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// As many as `UPGRADES` says.
    private static let upgrades = ProcessInfo.processInfo.environment["UPGRADES"].flatMap(Int.init) ?? 4

    @Test("Under load, by its own hand (SIGUSR2): no request fails, none is carried out twice, and streams come back")
    func bySignal() async throws {
        let server = try await ServerProcess(in: folder, Load.arguments)
        var pid = server.program.pid
        defer { kill(pid, SIGKILL) }
        let load = try await Load(port: server.port, players: 6)
        for number in 1...Self.upgrades {
            try await load.goOn()
            let former = pid
            kill(former, SIGUSR2)
            #expect(try await eventually { server.log.count { $0["event"]?.string == "started" } == number + 1 })
            pid = Int32(server.log.last { $0["event"]?.string == "handing-over" }?["pid"]?.integer ?? 0)
            try #require(pid > 0 && pid != former)
        }
        try await load.goOn()
        let report = try await load.end()
        #expect(report.failures == [])
        #expect(report.endedStreams >= Self.upgrades)
        #expect(try await server.program.end() == .exit(0))
        #expect(server.log.count { $0["event"]?.string == "stopped" } == Self.upgrades)
    }

    @Test("Under load, with sockets that outlive the server, as systemd has them: stopped and started again, nothing fails")
    func bySystemd() async throws {
        let holder = try ListeningSocket()
        let errors = folder.path("errors")
        var server = try await ServerProcess(in: folder, Load.arguments, errors: errors, sockets: [holder.descriptor])
        #expect(server.port == holder.port)
        let load = try await Load(port: holder.port, players: 6)
        for _ in 1...Self.upgrades {
            try await load.goOn()
            server.program.send(SIGTERM)
            #expect(try await server.program.end() == .exit(0))
            try Data().write(to: URL(filePath: errors))
            server = try await ServerProcess(in: folder, Load.arguments, errors: errors, sockets: [holder.descriptor])
        }
        try await load.goOn()
        let report = try await load.end()
        #expect(report.failures == [])
        #expect(report.endedStreams >= Self.upgrades)
    }

    @Test("A server that is told to end while its successor starts leaves nobody behind")
    func calledOff() async throws {
        let server = try await ServerProcess(in: folder)
        let slow = try server.client()
        // Half a request, so that it does not end at once.
        try slow.write(Array("POST /v1/rooms HTTP/1.1\r\nHost: hansang\r\nContent-Length: 2\r\n\r\n{".utf8))
        let client = try server.client()
        #expect(try await client.send("GET", "/healthz").status == 200)
        server.program.send(SIGUSR2)
        server.program.send(SIGTERM)
        #expect(try await server.program.end() == .exit(0))
        #expect(try await eventually { WireClient.isRefused(port: server.port) })
    }

    @Test("A successor that cannot start changes nothing, and says why")
    func failed() async throws {
        let path = folder.path("hansang.conf")
        try Data("port = 0\n".utf8).write(to: URL(filePath: path))
        let server = try await ServerProcess(in: folder, ["--config", path])
        let client = try server.client()
        let pin = try await client.open(token(1))
        try Data("prot = 0\n".utf8).write(to: URL(filePath: path))
        server.program.send(SIGUSR2)
        #expect(try await eventually { server.log.contains { $0["event"]?.string == "upgrade-failed" } })
        #expect(server.program.errors.contains("did you mean port?"))
        #expect(try await client.submit(pin, token(1)).status == 201)
        // Also where there is no store for it.
        try Data("port = 0\ncatalogue = /nowhere\n".utf8).write(to: URL(filePath: path))
        server.program.send(SIGUSR2)
        #expect(try await eventually { server.log.count { $0["event"]?.string == "upgrade-failed" } == 2 })
        #expect(try await client.submit(pin, token(1)).status == 200)
        #expect(server.program.ending == nil)
    }

    @Test("Nor does one that may not read its keys, or finds a port taken: who would have gone for it goes on")
    func failedKeys() async throws {
        let standIn = try await StandIn()
        let (path, pushKey, tokenKey) = (folder.path("hansang.conf"), folder.path("key.p8"), folder.path("rooms.sqlite.key"))
        try Data(try standIn.file("key.p8")).write(to: URL(filePath: pushKey))
        chmod(pushKey, 0o600)
        let text = "port = 0\npush-apns-key = \(pushKey)\npush-apns-key-id = A\npush-apns-team = B\npush-apns-topic = c\n"
        try Data(text.utf8).write(to: URL(filePath: path))
        let server = try await ServerProcess(in: folder, ["--config", path])
        let client = try server.client()
        let pin = try await client.open(token(1))
        #expect(try await client.submit(pin, token(1)).status == 201)
        let steps: [(reason: String, spoil: () throws -> Void, mend: () throws -> Void)] = [
            ("the APNs key \(pushKey) can be read by others", { chmod(pushKey, 0o640) }, { chmod(pushKey, 0o600) }),
            ("the token key \(tokenKey) can be read by others", { chmod(tokenKey, 0o644) }, { chmod(tokenKey, 0o600) }),
            (
                "the token key \(tokenKey) is missing", { rename(tokenKey, tokenKey + ".away") }, { rename(tokenKey + ".away", tokenKey) }
            ),
            (
                "\(server.port)", { try Data((text + "admin = 127.0.0.1:\(server.port)\n").utf8).write(to: URL(filePath: path)) },
                { try Data(text.utf8).write(to: URL(filePath: path)) }
            ),
        ]
        for (index, step) in steps.enumerated() {
            try step.spoil()
            server.program.send(SIGUSR2)
            #expect(try await eventually { server.log.count { $0["event"]?.string == "upgrade-failed" } == index + 1 })
            #expect(server.program.errors.split(separator: "\n").contains { $0.hasPrefix("hansang: ") && $0.contains(step.reason) })
            #expect(try await client.submit(pin, token(1)).status == 200)
            try step.mend()
        }
        #expect(server.program.ending == nil)
        // It was nothing else that stood in the way.
        server.program.send(SIGUSR2)
        #expect(try await eventually { server.log.count { $0["event"]?.string == "started" } == 2 })
        let pid = Int32(server.log.last { $0["event"]?.string == "handing-over" }?["pid"]?.integer ?? 0)
        try #require(pid > 0)
        kill(pid, SIGKILL)
        #expect(try await server.program.end() == .exit(0))
    }

    @Test("With PostgreSQL, which servers share, nobody is let go before the database is open")
    func shared() throws {
        var isReady = false
        #expect(throws: FileError.self) {
            _ = try StoreLocation.postgres(uri: "postgres://127.0.0.1:1/none?connect_timeout=2").open(keyPath: folder.path("key")) {
                isReady = true
            }
        }
        #expect(!isReady)
    }

    @Test("A server that has no predecessor does not wait for a store that somebody has")
    func noPatience() async throws {
        let other = try await ServerProcess(in: folder)
        let began = ContinuousClock.now
        let remains = try await Program.run(["serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"])
        #expect(remains.ending == .exit(69) && remains.errors.contains("in use"))
        #expect(ContinuousClock.now - began < .seconds(20))
        #expect(other.program.ending == nil)
    }
}

/// A socket that listens and that nobody answers, until it is handed to somebody.
private final class ListeningSocket: Sendable {
    let descriptor: Int32
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                guard let address = $0.baseAddress else { return Int32(-1) }
                return bind(descriptor, address, length) | listen(descriptor, 1024) | getsockname(descriptor, address, &length)
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard result == 0 else { throw WireError.system("listen", errno: errno) }
    }

    deinit { close(descriptor) }
}
