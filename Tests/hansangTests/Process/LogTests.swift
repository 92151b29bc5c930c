import Glibc
import JSON
import TestSupport
import Testing

@Suite("The log", .serialized, .timeLimit(.minutes(2)))
struct LogTests {
    private static let tokens = ["fcm:APA91bH-secret_of_the_host_0123456789", "fcm:APA91bH-secret_of_the_guest_987654321"]

    /// What a game and its mishaps have left behind.
    private struct Traces {
        let lines: [JSONValue]
        let text: String
        let pin: String
        let answers: [WireAnswer]
    }

    /// Plays a game in which all goes wrong that can, and returns the log.
    private static func play() async throws -> Traces {
        let server = try await ServerProcess(in: TemporaryFolder(), ["--port", "0", "--log-level", "debug"])
        let client = try server.client()
        let pin = try await client.open(tokens[0], json: #"{"nickname":"홍길동"}"#)
        let room = "/v1/rooms/\(pin)"
        var answers: [WireAnswer] = []
        // Names that a client gives itself, of which some are secrets.
        for (field, value) in [
            ("X-Request-ID", "proxy-7f3a"), ("X-Request-ID", String(tokens[0].dropFirst(4))), ("X-Request-ID", pin),
            ("X-Request-ID", "홍길동홍길동"),
            ("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), ("traceparent", tokens[1]),
            ("Idempotency-Key", "Grasshopper-key"), ("Referer", "http://x/?t=\(tokens[0])"), ("X-Forwarded-For", "203.0.113.77"),
        ] {
            answers.append(try await client.send("GET", room, token: tokens[0], fields: ["\(field): \(value)"]))
        }
        for (method, target, token, json) in [
            ("PUT", "\(room)/members/me", tokens[1], #"{"nickname":"Grasshopper"}"#),
            ("PUT", "\(room)/submission", tokens[0], #"{"answers":{"hangover":"like","staple":["noodle"]},"vetoes":["sashimi"]}"#),
            ("PUT", "\(room)/submission", tokens[1], #"{"answers":{"hangover":"love"},"vetoes":["sashimi","Grasshopper"]}"#),
            ("PUT", "\(room)/submission", tokens[1], #"{"answers":{"hangover":"#),
            ("PUT", "\(room)/submission", "Grasshopper", #"{"answers":{"hangover":"like"}}"#),
            ("GET", "\(room)/submission", tokens[0], nil),
            ("GET", "\(room)/\(tokens[1])", tokens[0], nil),
            ("GET", "\(room)?token=\(tokens[1])&nickname=Grasshopper", nil, nil),
            ("GET", "/v1/menus/random?veto=sashimi", nil, nil),
            ("GET", "/v1/rooms/\(tokens[0])", nil, nil),
            (tokens[1].filter(\.isLetter).uppercased(), room, nil, nil),
            ("POST", "\(room)/reveal", tokens[1], nil),
            ("POST", "\(room)/reveal", tokens[0], "{}"),
            ("GET", "\(room)/result", nil, nil),
            ("POST", "/v1/solo", nil, #"{"answers":{"staple":["noodle"]},"vetoes":["sashimi"]}"#),
        ] as [(String, String, String?, String?)] {
            answers.append(try await client.send(method, target, token: token, json: json))
        }
        // What the protocol itself refuses.
        for request in [
            "PUT \(room)/submission HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(tokens[0])\r\nContent-Length: 1000000\r\n\r\n",
            "GET \(room) HTTP/1.1\r\nHost: x\r\nAuthorization Bearer \(tokens[0])\r\n\r\n", "\(tokens[0]) \(pin) Grasshopper\r\n\r\n",
        ] {
            let client = try server.client()
            let answer = try await onOwnThread {
                try client.write(Array(request.utf8))
                return try client.read()
            }
            #expect(answer.status >= 400)
        }
        server.program.send(SIGTERM)
        #expect(try await server.program.end() == .exit(0))
        return Traces(lines: server.log, text: server.program.errors, pin: pin, answers: answers)
    }

    @Test("Every line is a JSON object, and every request has one with its id, method, route, status and duration")
    func lines() async throws {
        let traces = try await Self.play()
        #expect(traces.text.hasSuffix("\n"))
        for line in traces.lines {
            #expect(line["at"]?.integer ?? 0 > 1_500_000_000_000)
            #expect(["debug", "info", "warning", "error"].contains(line["level"]?.string))
            #expect(line["event"]?.string != nil)
            #expect(["server", "http", "store", "admin", "push"].contains(line["module"]?.string))
        }
        #expect(traces.lines.first?["event"]?.string == "started")
        #expect(traces.lines.suffix(2).map { $0["event"]?.string } == ["stopping", "stopped"])
        let all = traces.lines.filter { $0["event"]?.string == "request" }
        // Those that the protocol refused before there was a method or a route.
        let refusals = all.filter { $0["method"]?.string == "(none)" }
        let requests = all.filter { $0["method"]?.string != "(none)" }
        // The one that opened the room, and those of which the answers were kept.
        #expect(requests.count == traces.answers.count + 1)
        for (request, answer) in zip(requests.dropFirst(), traces.answers) {
            #expect(request["id"]?.string == answer["X-Request-ID"])
            #expect(request["status"]?.integer == Int64(answer.status))
            #expect(request["microseconds"]?.integer ?? -1 >= 0)
        }
        #expect(Set(all.compactMap { $0["id"]?.string }).count == all.count)
        #expect(requests[1]["id"]?.string == "proxy-7f3a")
        #expect(requests[5]["trace"]?.string == "0af7651916cd43dd8448eb211c80319c")
        #expect(requests[5]["parent"]?.string == "b7ad6b7169203331")
        #expect(requests.count { $0["trace"] != nil } == 1)
        #expect(requests[10]["method"]?.string == "PUT")
        #expect(requests[10]["route"]?.string == "/v1/rooms/{pin}/members/me")
        #expect(refusals.map { $0["status"]?.integer } == [413, 400, 400])
    }

    @Test("Nothing in it tells who played, in which room, or for what")
    func secrecy() async throws {
        let traces = try await Self.play()
        let secrets =
            Self.tokens + ["APA91", "secret_of", "SECRET", "홍길동", "Grasshopper", "hangover", "noodle", "sashimi", "love", "203.0.113"]
        for secret in secrets { #expect(!traces.text.contains(secret), "\(secret)") }
        // Six digits may be among those of a time or a duration by chance.
        for line in traces.lines {
            for member in line.object ?? [] where !["at", "microseconds", "port"].contains(member.name) {
                #expect(!"\(member.value)".contains(traces.pin))
            }
        }
    }

    @Test("Below its level nothing is said")
    func levels() async throws {
        let server = try await ServerProcess(in: TemporaryFolder())
        let quiet = try Program(["serve", "--port", "\(server.port)", "--store", "sqlite:rooms.sqlite", "--log-level", "off"])
        #expect(try await quiet.end() == .exit(69))
        // Why it does not start is no line of the log.
        #expect(quiet.errors.hasPrefix("hansang: "))
        #expect(server.log.count == 1)

        let tacit = try await ServerProcess(in: TemporaryFolder(), ["--port", "0", "--log-level", "info,http=error"])
        #expect(try await tacit.client().send("GET", "/nowhere").status == 404)
        tacit.program.send(SIGTERM)
        #expect(try await tacit.program.end() == .exit(0))
        #expect(tacit.log.map { $0["event"]?.string } == ["started", "stopping", "stopped"])
    }

    @Test("When it crashes that is the last line, and the system hears of it", arguments: [SIGSEGV, SIGILL, SIGABRT])
    func crash(signal: Int32) async throws {
        let server = try await ServerProcess(in: TemporaryFolder())
        server.program.send(signal)
        #expect(try await server.program.end() == .signal(signal))
        let last = try #require(server.log.last)
        #expect(last["event"]?.string == "crashed" && last["level"]?.string == "error")
        #expect(last["signal"]?.integer == Int64(signal))
        #expect(last["at"]?.integer ?? 0 > 1_500_000_000_000)
        #expect(server.log.count == 2)
    }
}
