import JSON
import TestSupport
import Testing

@testable import Push

@Suite("The HTTP client", .timeLimit(.minutes(2))) struct ClientTests {
    private typealias Answer = Result<HTTPResponse, HTTPFailure>

    private func post(_ table: Table, to path: String = "/somewhere", on client: HTTPClient? = nil) async -> Answer {
        let request = HTTPRequest(url: table.standIn.origin + path, fields: [], body: Array("{}".utf8))
        return await withCheckedContinuation { continuation in
            (client ?? table.client).send(request) { continuation.resume(returning: $0) }
        }
    }

    private func post(_ table: Table, times: Int) async -> [Answer] {
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<times { group.addTask { await post(table) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func status(_ answer: Answer) -> Int? { try? answer.get().status }

    @Test("has many requests on one connection at a time, and keeps it") func multiplexed() async throws {
        let table = try await Table()
        #expect(await status(post(table)) == 404)
        // Each is answered only when all have come, or else there would be nothing to see.
        try await table.standIn.tell(#"{"delay":0.2}"#)
        let answers = await post(table, times: PushLimits.requestsPerConnection)
        #expect(answers.allSatisfy { status($0) == 404 })
        let seen = try await table.standIn.tell()
        #expect(seen.count("opened") == 1)
        #expect(seen.count("connections") == 1)
        #expect(seen.count("faults") == 0)
    }

    @Test("opens no more connections than it may, however few requests each takes") func connections() async throws {
        let table = try await Table()
        try await table.standIn.tell(#"{"streams":3,"delay":0.01}"#)
        let answers = await post(table, times: 200)
        #expect(answers.allSatisfy { status($0) == 404 })
        let opened = try await table.standIn.tell().count("opened")
        #expect((1...PushLimits.connectionsPerHost).contains(opened))
    }

    @Test("refuses a request too many at once, and others do not suffer") func bounded() async throws {
        let table = try await Table()
        try await table.standIn.tell(#"{"delay":1}"#)
        let answers = await post(table, times: PushLimits.requests + 50)
        #expect(answers.count { status($0) == 404 } == PushLimits.requests)
        #expect(answers.count { $0 == .failure(HTTPFailure(description: "too many requests are under way")) } == 50)
    }

    @Test("gives up an answer that is too long") func tooLong() async throws {
        let table = try await Table()
        try await table.standIn.script(
            "/long", #"{"status":200,"long":\#(PushLimits.responseBody - 2)}"#, #"{"status":200,"long":\#(PushLimits.responseBody)}"#)
        #expect(await status(post(table, to: "/long")) == 200)
        #expect(await post(table, to: "/long") == .failure(HTTPFailure(description: "the answer is too long")))
        // It goes on.
        #expect(await status(post(table)) == 404)
    }

    @Test("gives up a request that is not answered in time") func timeout() async throws {
        let table = try await Table(requestTimeout: 300)
        try await table.standIn.script("/silent", #"{"do":"hang"}"#)
        #expect(await post(table, to: "/silent") == .failure(HTTPFailure(description: "Timeout was reached")))
    }

    @Test("sends a request again on another connection that the service says it has not looked at") func goAway() async throws {
        let table = try await Table()
        #expect(await status(post(table)) == 404)
        try await table.standIn.script("/moved", #"{"do":"goaway"}"#)
        let answer = await post(table, to: "/moved")
        // libcurl may do so itself, or leave it to us.
        if case .success(let response) = answer { #expect(response.status == 404) }
        #expect(await status(post(table)) == 404)
        #expect(try await table.standIn.tell().count("opened") >= 2)
    }

    @Test("says of a request whose stream is reset that it failed, and goes on") func reset() async throws {
        let table = try await Table()
        try await table.standIn.script("/reset", #"{"do":"reset"}"#)
        #expect(await status(post(table, to: "/reset")) == nil)
        #expect(await status(post(table)) == 404)
        #expect(try await table.standIn.tell().count("opened") == 1)
    }

    @Test("says of a request whose connection is cut that it failed, and opens another") func cut() async throws {
        let table = try await Table()
        try await table.standIn.script("/cut", #"{"do":"close","times":10}"#)
        #expect(await status(post(table, to: "/cut")) == nil)
        try await table.standIn.tell(#"{"forget":true}"#)
        #expect(await status(post(table, to: "/cut")) == 404)
    }

    @Test("says where nobody listens, and finds them again") func refused() async throws {
        let table = try await Table()
        try await table.standIn.tell(#"{"listen":false}"#)
        #expect(await post(table) == .failure(HTTPFailure(description: "Couldn't connect to server")))
        try await table.standIn.tell(#"{"listen":true}"#)
        #expect(await status(post(table)) == 404)
    }

    @Test("speaks to nobody whom its authorities do not vouch for") func strangers() async throws {
        let table = try await Table()
        let client = try HTTPClient()
        guard case .failure(let failure) = await post(table, on: client) else {
            Issue.record("it spoke to a stranger")
            return
        }
        #expect(failure.description.contains("certificate"))
        #expect(try await table.standIn.tell().count("requests") == 0)
    }

    @Test("speaks TLS and nothing else") func plain() async throws {
        let table = try await Table()
        let request = HTTPRequest(url: table.standIn.origin.replacing("https", with: "http"), fields: [], body: [])
        let answer: Answer = await withCheckedContinuation { continuation in
            table.client.send(request) { continuation.resume(returning: $0) }
        }
        #expect(answer == .failure(HTTPFailure(description: "Unsupported protocol")))
    }

    @Test("gives up what is under way when it is closed, and takes nothing more") func closed() async throws {
        let table = try await Table()
        try await table.standIn.script("/silent", #"{"do":"hang"}"#)
        async let silent = post(table, to: "/silent")
        #expect(try await eventually { try await table.standIn.tell().count("requests") == 1 })
        table.client.close()
        #expect(await status(silent) == nil)
        #expect(await post(table) == .failure(HTTPFailure(description: "the client is closed")))
    }
}
