import HTTP
import Testing

@Suite("ConnectionState with a stream")
struct StreamStateTests {
    let start = Moment(elapsed: .zero)
    let date = HTTPDate(secondsSince1970: 0)
    let head = Response(Status(200), fields: [Field(FieldName("Content-Type"), "text/event-stream")], body: Array("first".utf8))

    @Test("A stream is a head, chunks and a last chunk, and then the connection serves the next request")
    func chunked() throws {
        var (state, ticket) = try asked("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        var output: [UInt8] = []
        #expect(state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        #expect(
            text(output) == """
                HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/event-stream\r
                Transfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n
                """)
        #expect(!state.wantsInput)
        #expect(!state.isEnding)
        #expect(state.deadline == nil)
        let exchange = try #require(state.streamExchange)
        output = []
        ResponseEncoder.encode(StreamChunk("and more"), for: exchange, into: &output)
        ResponseEncoder.encode(StreamChunk(""), for: exchange, into: &output)
        state.finishStream(into: &output, at: start)
        #expect(text(output) == "8\r\nand more\r\n0\r\n\r\n")
        #expect(state.streamExchange == nil)
        #expect(isWait(state.sent(100, pending: 0, at: start)))
        #expect(state.wantsInput)
        #expect(state.deadline == start + .seconds(75))
        output = []
        state.finishStream(into: &output, at: start)
        #expect(output.isEmpty)
    }

    @Test("For HTTP/1.0 the end of the connection is the end of the body, whatever the client asks for")
    func http10() throws {
        var (state, ticket) = try asked("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        var output: [UInt8] = []
        #expect(state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        #expect(text(output)?.hasSuffix("\r\nConnection: close\r\n\r\nfirst") == true)
        #expect(text(output)?.contains("Transfer-Encoding") == false)
        let exchange = try #require(state.streamExchange)
        output = []
        ResponseEncoder.encode(StreamChunk("more"), for: exchange, into: &output)
        state.finishStream(into: &output, at: start)
        #expect(text(output) == "more")
        guard case .linger = state.sent(100, pending: 0, at: start) else { return #expect(Bool(false)) }
    }

    @Test(
        "HEAD gets the head only, and so does a status without content",
        arguments: [("HEAD", 200, true), ("GET", 204, false), ("GET", 304, false)])
    func noContent(_ method: String, _ status: Int, _ saysChunked: Bool) throws {
        var (state, ticket) = try asked("\(method) / HTTP/1.1\r\nHost: h\r\n\r\n")
        var output: [UInt8] = []
        let head = Response(Status(status), body: Array("first".utf8))
        #expect(state.open(ticket, with: head, heartbeat: .seconds(1), date: date, into: &output, at: start))
        #expect(state.streamExchange == nil)
        #expect(text(output)?.hasSuffix("\r\n\r\n") == true)
        #expect(text(output)?.contains("Transfer-Encoding: chunked") == saysChunked)
        #expect(state.wantsInput)
        #expect(state.deadline == start + .seconds(75))
    }

    @Test("A stream takes the ticket like any answer: once")
    func tickets() throws {
        var (state, ticket) = try asked("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        var output: [UInt8] = []
        #expect(state.awaits(ticket))
        #expect(state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        #expect(!state.awaits(ticket))
        let length = output.count
        #expect(!state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        #expect(!state.answer(ticket, with: head, date: date, into: &output, at: start))
        #expect(output.count == length)
    }

    @Test("A heartbeat is due when nothing was written for its interval, and not while something waits to be")
    func heartbeat() throws {
        var (state, ticket) = try asked("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        var output: [UInt8] = []
        #expect(state.open(ticket, with: head, heartbeat: .seconds(15), date: date, into: &output, at: start))
        #expect(state.deadline == start + .seconds(15))
        #expect(isWait(state.sent(100, pending: 0, at: start + .seconds(10))))
        #expect(state.deadline == start + .seconds(25))
        #expect(!heartbeatIsDue(&state, at: start + .seconds(24)))
        #expect(heartbeatIsDue(&state, at: start + .seconds(26)))
        #expect(state.deadline == start + .seconds(41))
        #expect(!heartbeatIsDue(&state, at: start + .seconds(26)))
        #expect(isWait(state.timeOut(at: start + .seconds(50))))  // a heartbeat is no reason to close

        #expect(isWait(state.sent(100, pending: 9, at: start + .seconds(40))))
        #expect(state.deadline == start + .seconds(50))
        #expect(!heartbeatIsDue(&state, at: start + .seconds(60)))
        guard case .close = state.timeOut(at: start + .seconds(50)) else { return #expect(Bool(false)) }
    }

    @Test("Draining makes the stream the last answer: its last chunk, and then the end")
    func draining() throws {
        var (state, ticket) = try asked("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        var output: [UInt8] = []
        #expect(state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        state.drain()
        #expect(isWait(closeIfIdle(&state)))
        output = []
        state.finishStream(into: &output, at: start)
        #expect(text(output) == "0\r\n\r\n")
        guard case .linger = state.sent(100, pending: 0, at: start) else { return #expect(Bool(false)) }
    }

    @Test("The end of the client's side matters to who waits for something, and is remembered by who does not yet")
    func end() throws {
        var idle = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(!noticeEnd(&idle))
        #expect(idle.hasEnd)
        var (state, ticket) = try asked("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(!state.hasEnd)
        #expect(noticeEnd(&state))
        var output: [UInt8] = []
        #expect(state.open(ticket, with: head, heartbeat: nil, date: date, into: &output, at: start))
        #expect(noticeEnd(&state))
        // What it asked for before that is still answered.
        state.finishStream(into: &output, at: start)
        #expect(state.wantsInput)
    }

    private func asked(_ request: String) throws -> (ConnectionState, ConnectionState.Ticket) {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        var position = 0
        guard case .respond(_, let ticket) = state.receive(Array(request.utf8).span, from: &position, at: start) else { throw NotAsked() }
        return (state, ticket)
    }

    // The macro would have it that its argument changes nothing.
    private func closeIfIdle(_ state: inout ConnectionState) -> ConnectionState.Step { state.closeIfIdle() }
    private func noticeEnd(_ state: inout ConnectionState) -> Bool { state.noticeEnd() }
    private func heartbeatIsDue(_ state: inout ConnectionState, at now: Moment) -> Bool { state.heartbeatIsDue(at: now) }

    private struct NotAsked: Error {}

    private func isWait(_ step: ConnectionState.Step) -> Bool {
        if case .wait = step { true } else { false }
    }
}
