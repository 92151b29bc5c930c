import Foundation
import JSON
import TestSupport
import Testing

@Suite("Push of a server", .serialized, .timeLimit(.minutes(2)))
struct PushProcessTests {
    @Test("is off where nothing is said of it, and the server says so") func off() async throws {
        let server = try await ServerProcess(in: TemporaryFolder())
        let client = try server.client()
        #expect(
            try await client.send("GET", "/readyz").json["push"] == .object([.init("fcm", .string("off")), .init("apns", .string("off"))]))
        try await client.register(token(1), "fcm", "some-token")
        let pin = try await client.open(token(1))
        _ = try await client.submit(pin, token(1))
        #expect(try await client.reveal(pin, token(1)).status == 200)
    }

    @Test("leaves no token and no key in the log, whatever goes wrong") func log() async throws {
        let standIn = try await StandIn()
        let server = try await ServerProcess(
            in: TemporaryFolder(), ["--port", "0", "--log-level", "debug", "--push-legacy"] + standIn.flags)
        let client = try server.client()
        let tokens = ["fcm:APA91bH-secret_of_the_host_0123456789", "5ec2e75ec2e75ec2e75ec2e7"]
        try await standIn.script(
            tokens[1], #"{"status":400,"json":{"reason":"BadDeviceToken"}}"#, #"{"do":"reset"}"#,
            #"{"status":403,"json":{"reason":"InvalidProviderToken"}}"#)
        try await standIn.script(tokens[0], #"{"status":500}"#, #"{"do":"close"}"#)
        try await client.register(token(1), "fcm", tokens[0])
        try await client.register(token(1), "apns", tokens[1])
        var pin = ""
        for round in 1...3 {
            pin = try await client.open(token(1))
            _ = try await client.submit(pin, token(1))
            #expect(try await client.reveal(pin, token(1)).status == 200)
            #expect(
                try await eventually { server.log.count { $0["module"]?.string == "push" && $0["service"]?.string == "apns" } >= round })
        }
        #expect(try await eventually { server.log.contains { $0["outcome"]?.string == "accepted" } })
        #expect(
            try await eventually { server.log.contains { $0["event"]?.string == "push-service-failed" && $0["level"]?.string == "error" } })
        server.program.send(SIGTERM)
        #expect(try await server.program.end() == .exit(0))
        let text = server.program.errors
        for secret in tokens + [token(1), pin, "ya29.", "eyJ", "BEGIN", "bearer", "Bearer"] { #expect(!text.contains(secret)) }
        #expect(text.contains(#""reason":"BadDeviceToken""#))
    }

    @Test("stops in time though a service is silent, and what was on its way is sent by the next server") func stop() async throws {
        let standIn = try await StandIn()
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(in: folder, ["--port", "0"] + standIn.flags)
        let client = try server.client()
        try await standIn.script("a1", #"{"do":"hang"}"#)
        try await client.register(token(1), "apns", "a1")
        let pin = try await client.open(token(1))
        _ = try await client.submit(pin, token(1))
        #expect(try await client.reveal(pin, token(1)).status == 200)
        #expect(try await eventually { try await standIn.tell().count("requests") == 1 })
        server.program.send(SIGTERM)
        #expect(try await server.program.end(within: .seconds(10)) == .exit(0))
        let next = try await ServerProcess(in: folder, ["--port", "0"] + standIn.flags)
        #expect(try await eventually { try await standIn.tell().count("acceptedCount") == 1 })
        #expect(next.program.ending == nil)
    }

    @Test("does not begin with what cannot work, and says why in one line") func refused() async throws {
        let folder = try TemporaryFolder()
        let standIn = try await StandIn()
        let open = folder.path("open.p8")
        try Data(try standIn.file("key.p8")).write(to: URL(filePath: open))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: open)
        let names = ["--push-apns-key-id", "A", "--push-apns-team", "B", "--push-apns-topic", "c"]
        for (arguments, reason) in [
            (["--push-apns-key", standIn.path("key.p8")], "--push-apns-key needs --push-apns-key-id"),
            (["--push-apns-key", open] + names, "the APNs key \(open) can be read by others; chmod 600 it"),
            (["--push-apns-key", "/nowhere"] + names, "the APNs key /nowhere cannot be read: No such file or directory"),
            (["--push-apns-key", standIn.path("account.json")] + names, "no private key on P-256"),
            (["--push-fcm", standIn.path("key.p8")], "no service account's JSON file"),
            (["--push-fcm", standIn.path("account.json"), "--push-fcm-url", "http://127.0.0.1"], "https://"),
        ] {
            let remains = try await Program.run(["serve", "--port", "0", "--store", "sqlite:\(folder.path("x.sqlite"))"] + arguments)
            #expect(remains.ending == .exit(69) || remains.ending == .exit(64))
            #expect(remains.lines.count == 1)
            #expect(remains.errors.contains(reason))
        }
    }
}
