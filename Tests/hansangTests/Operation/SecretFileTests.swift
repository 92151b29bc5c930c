import Foundation
import Glibc
import TestSupport
import Testing

@testable import hansang

@Suite("A file that holds a secret")
struct SecretFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, mode: mode_t) throws -> String {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    @Test("Is for its owner's eyes only")
    func mode() throws {
        for (mode, expected) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false)] as [(mode_t, Bool)] {
            #expect(isSecret(try file("key", mode: mode), mode: mode, credentials: nil) == expected)
        }
    }

    @Test("Is one too where systemd has handed it over, which shows its access list as the group's bits")
    func credential() throws {
        let credentials = folder.path("credentials")
        let inside = try file("credentials/key", mode: 0o440)
        #expect(isSecret(inside, mode: 0o440, credentials: credentials))
        #expect(isSecret(inside, mode: 0o440, credentials: credentials + "/"))
        #expect(!isSecret(inside, mode: 0o444, credentials: credentials))
        // Neither a name that only begins like it, nor a way out of it.
        #expect(!isSecret(try file("credentials-2/key", mode: 0o440), mode: 0o440, credentials: credentials))
        #expect(!isSecret("\(credentials)/../credentials-2/key", mode: 0o440, credentials: credentials))
        #expect(symlink(folder.path("credentials-2/key"), "\(credentials)/link") == 0)
        #expect(!isSecret("\(credentials)/link", mode: 0o440, credentials: credentials))
        #expect(!isSecret(inside, mode: 0o440, credentials: folder.path("nowhere")))
    }

    @Test("A server takes its token key from there")
    func served() async throws {
        let key = try file("credentials/key", mode: 0o600)
        try Data(repeating: 7, count: 32).write(to: URL(filePath: key))
        chmod(key, 0o440)
        let arguments = ["--port", "0", "--token-key", key]
        let server = try await ServerProcess(in: folder, arguments, environment: ["CREDENTIALS_DIRECTORY": folder.path("credentials")])
        #expect(try await server.client().send("GET", "/readyz").status == 200)
        try await server.kill()
        await #expect(throws: ServerProcess.NotStarted.self) { _ = try await ServerProcess(in: folder, arguments) }
    }
}
