import Glibc
import JSON
import TestSupport
import Testing

@Suite("A disk that takes nothing more", .timeLimit(.minutes(2)))
struct FullDiskTests {
    /// Bounds the size of the files that a process may write, as a full disk would; `nil` for no bound.
    private static func limit(_ program: Program, to size: Int?) async throws {
        let bound = size.map(String.init) ?? "unlimited"
        let prlimit = try Program(["--pid", "\(program.pid)", "--fsize=\(bound):unlimited"], path: "/usr/bin/prlimit")
        #expect(try await prlimit.end() == .exit(0), "\(prlimit.errors)")
    }

    @Test("With no space at all it does not start, and says so")
    func start() async throws {
        let folder = try TemporaryFolder()
        let arguments = ["--fsize=4096", Program.path, "serve", "--port", "0", "--store", "sqlite:\(folder.path("rooms.sqlite"))"]
        let program = try Program(arguments, path: "/usr/bin/prlimit")
        #expect(try await program.end() == .exit(69))
        #expect(program.output.isEmpty)
        #expect(program.errors.split(separator: "\n").count == 1, "\(program.errors)")
        #expect(program.errors.hasPrefix("hansang: "))
        // Given the space, it starts.
        #expect(try await ServerProcess(in: folder).client().send("GET", "/readyz").status == 200)
    }

    @Test("Writes are refused for the time being, reads go on, and with the space all is well again")
    func full() async throws {
        let folder = try TemporaryFolder()
        let server = try await ServerProcess(in: folder)
        let client = try server.client()
        let pin = try await client.open(token(0))
        #expect(try await client.submit(pin, token(0)).status == 201)
        // Less than the database has; more than the log of the program and the index of the write-ahead log need.
        try await Self.limit(server.program, to: 48 << 10)
        var members = [0]
        var refused: WireAnswer?
        for number in 1...40 where refused == nil {
            let answer = try await client.submit(pin, token(number))
            if answer.status == 201 { members.append(number) } else { refused = answer }
        }
        let refusal = try #require(refused)
        for answer in [refusal, try await client.send("POST", "/v1/rooms", token: token(0), json: "{}")] {
            #expect(answer.status == 503)
            #expect(answer.code == "store-unavailable")
            #expect(answer["Retry-After"].flatMap { Int($0) } ?? 0 > 0)
        }
        // What was found last is told again for a second.
        #expect(try await eventually { try await client.send("GET", "/readyz").code == "store-unavailable" })
        let room = try await client.send("GET", "/v1/rooms/\(pin)", token: token(0))
        #expect(room.status == 200)
        #expect(room.json["submissionCount"]?.integer == Int64(members.count))
        #expect(try await client.send("GET", "/v1/rooms/\(pin)/submission", token: token(0)).status == 200)
        #expect(try await client.send("GET", "/healthz").status == 200)
        #expect(try await client.send("POST", "/v1/solo", json: "{}").status == 200)

        try await Self.limit(server.program, to: nil)
        #expect(try await client.submit(pin, token(100)).status == 201)
        #expect(try await eventually { try await client.send("GET", "/readyz").status == 200 })
        members.append(100)
        try await server.kill()
        let again = try await ServerProcess(in: folder).client()
        #expect(try await again.send("GET", "/v1/rooms/\(pin)").json["submissionCount"]?.integer == Int64(members.count))
        for member in members {
            #expect(try await again.send("GET", "/v1/rooms/\(pin)/submission", token: token(member)).status == 200)
        }
    }
}
