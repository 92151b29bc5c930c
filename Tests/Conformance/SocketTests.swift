import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import echo_server

/// The raw cases of `cases.json` against the whole engine over a socket: all of them pass, and none by the lax answer.
@Suite("Raw HTTP/1.1 cases over a socket")
struct SocketTests {
    @Test("Each is answered as the RFCs allow and as we demand", arguments: try RawCase.all())
    func answers(_ rawCase: RawCase) async throws {
        try await judge(rawCase, [rawCase.bytes])
    }

    @Test(
        "Each that is not huge is answered the same when every byte is a packet of its own",
        arguments: try RawCase.all().filter { $0.bytes.count < 2000 })
    func singleBytes(_ rawCase: RawCase) async throws {
        try await judge(rawCase, rawCase.bytes.map { [$0] })
    }

    private func judge(_ rawCase: RawCase, _ pieces: [[UInt8]]) async throws {
        let expected = rawCase.expect
        let seen = try await onOwnThread { try Seen(rawCase, pieces) }
        let statuses = seen.answers.map { RawCase.className($0.status) }
        let first = statuses.first ?? "close"
        #expect(expected.status.contains(first))
        if let demand = expected.demand { #expect(demand.contains(first)) }
        if let count = expected.responses {
            if first == "2xx" { #expect(statuses == Array(repeating: "2xx", count: count)) } else { #expect(statuses.count == 1) }
        }
        if let mustClose = expected.mustClose, mustClose || first == "2xx" { #expect(seen.isClosed == mustClose) }
        if let body = expected.body, first == "2xx" { #expect(seen.answers.first?.body == [UInt8](latin1: body)) }
    }
}

/// What a client sees of a case: every answer until the connection ends, or until a further request gets an answer of its own, so that
/// none is overlooked.
private struct Seen {
    var answers: [WireAnswer] = []
    var isClosed = false

    init(_ rawCase: RawCase, _ pieces: [[UInt8]]) throws {
        let server = Server(configuration: ServerConfiguration(loops: 1), responder: EchoResponder())
        try server.start()
        defer { server.stop(within: .zero) {} }
        let client = try WireClient(port: server.port)
        // A server that has refused may take no more.
        for piece in pieces { guard try Self.hasOpen({ () throws(WireError) in try client.write(piece) }) else { break } }
        if rawCase.halfClose == true { client.finishSending() }
        let isHead = rawCase.bytes.starts(with: Array("HEAD ".utf8))
        while !isClosed, answers.count < max(1, rawCase.expect.responses ?? 1) { try readOne(client, isHead: isHead) }
        if rawCase.expect.mustClose != true, !isClosed {
            isClosed = try !Self.hasOpen { () throws(WireError) in try client.write(WireClient.request("GET", "/further")) }
        }
        while !isClosed, answers.last?.body != Array("/further".utf8) { try readOne(client) }
        if !isClosed { answers.removeLast() }
    }

    /// Interim answers are none.
    private mutating func readOne(_ client: WireClient, isHead: Bool = false) throws {
        isClosed = try !Self.hasOpen { () throws(WireError) in
            let answer = try client.read(isHead: isHead)
            if answer.status >= 200 { answers.append(answer) }
        }
    }

    /// Whether the connection is open for `body` to do what it does.
    private static func hasOpen(_ body: () throws(WireError) -> Void) throws -> Bool {
        do throws(WireError) { try body() } catch {
            guard case .closed = error else { throw error }
            return false
        }
        return true
    }
}
