import HTTP
import Testing

@Suite("ConnectionState")
struct ConnectionStateTests {
    let start = Moment(elapsed: .zero)
    let date = HTTPDate(secondsSince1970: 0)
    let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test("A silent client is dropped when its idle time is up, without an answer")
    func idle() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(state.deadline == start + .seconds(75))
        #expect(name(state.timeOut(at: start + .seconds(74))) == "wait")
        #expect(name(state.timeOut(at: start + .seconds(75))) == "close")
        #expect(state.isClosed)
    }

    @Test("A head has its time from its first byte, however it trickles, and is then answered 408")
    func slowHead() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        let begun = start + .seconds(20)
        for (offset, byte) in get.utf8.dropLast().enumerated() {
            #expect(name(receive(&state, [byte], at: begun + .milliseconds(offset * 100))) == "wait")
        }
        #expect(state.deadline == begun + .seconds(10))
        #expect(name(state.timeOut(at: begun + .seconds(10))) == "refuse 408 after 10.0 seconds")
    }

    @Test("An empty line between requests does not start a head")
    func emptyLine() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(receive(&state, [0x0D], at: start + .seconds(1))) == "wait")
        #expect(name(receive(&state, [0x0A], at: start + .seconds(1))) == "wait")
        #expect(state.deadline == start + .seconds(75))
        #expect(name(receive(&state, Array(get.utf8), at: start + .seconds(60))) == "respond")
    }

    @Test("A body has to keep its rate, and has an end in any case")
    func slowBody() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        let head = Array("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 60000\r\n\r\n".utf8)
        #expect(name(receive(&state, head, at: start)) == "wait")
        #expect(state.deadline == start + .seconds(5))
        #expect(name(receive(&state, [UInt8](repeating: 0, count: 1024), at: start + .seconds(4))) == "wait")
        #expect(state.deadline == start + .seconds(7))
        #expect(name(receive(&state, [UInt8](repeating: 0, count: 40_000), at: start + .seconds(6))) == "wait")
        #expect(state.deadline == start + .seconds(30))
        #expect(name(state.timeOut(at: start + .seconds(30))) == "refuse 408 after 30.0 seconds")
    }

    @Test("While an answer is due nothing is read, no time runs, and the idle time begins with the answer")
    func responding() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        guard case .respond(_, let ticket) = receive(&state, Array(get.utf8), at: start) else { return #expect(Bool(false)) }
        #expect(!state.wantsInput)
        #expect(state.deadline == nil)
        #expect(name(receive(&state, Array(get.utf8), at: start)) == "wait")
        var output: [UInt8] = []
        #expect(state.answer(ticket, with: Response(Status(200)), date: date, into: &output, at: start + .seconds(90)))
        #expect(state.wantsInput)
        #expect(state.deadline == start + .seconds(165))
    }

    @Test("A ticket answers its own request, once")
    func tickets() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        var output: [UInt8] = []
        guard case .respond(_, let first) = receive(&state, Array(get.utf8), at: start) else { return #expect(Bool(false)) }
        #expect(state.answer(first, with: Response(Status(200)), date: date, into: &output, at: start))
        let length = output.count
        #expect(!state.answer(first, with: Response(Status(200)), date: date, into: &output, at: start))
        guard case .respond(_, let second) = receive(&state, Array(get.utf8), at: start) else { return #expect(Bool(false)) }
        #expect(!state.answer(first, with: Response(Status(200)), date: date, into: &output, at: start))
        #expect(output.count == length)
        #expect(state.answer(second, with: Response(Status(200)), date: date, into: &output, at: start))
    }

    @Test("A client that does not take its answer is dropped; what it takes buys it time")
    func writing() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(state.sent(50_000, pending: 30_000, at: start)) == "wait")
        #expect(!state.wantsInput)
        #expect(state.deadline == start + .seconds(10))
        #expect(name(state.sent(0, pending: 30_000, at: start + .seconds(5))) == "wait")
        #expect(state.deadline == start + .seconds(10))
        #expect(name(state.sent(20_000, pending: 10_000, at: start + .seconds(9))) == "wait")
        #expect(state.deadline == start + .seconds(19))
        #expect(name(state.timeOut(at: start + .seconds(19))) == "close")
    }

    @Test("A client that takes its answer by the crumb is dropped too, and the next answer is taken for itself")
    func crumbs() {
        var state = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(state.sent(0, pending: 30_000, at: start)) == "wait")
        for second in 1...10 { #expect(name(state.sent(100, pending: 20_000, at: start + .seconds(second))) == "wait") }
        #expect(state.deadline == start + .seconds(10) + .seconds(1) * 1000 / 512)
        #expect(name(state.sent(20_000, pending: 0, at: start + .seconds(11))) == "wait")
        #expect(state.deadline == start + .seconds(75))
        #expect(name(state.sent(100, pending: 20_000, at: start + .seconds(60))) == "wait")
        #expect(state.deadline == start + .seconds(70))
    }

    @Test("The last answer is followed by a linger that ends with the client, its time or its bytes")
    func lingering() {
        for ending in ["end", "time", "bytes"] {
            var state = ConnectionState(limits: ConnectionLimits(), at: start)
            guard case .refuse(let refusal, _) = receive(&state, [0], at: start) else { return #expect(Bool(false)) }
            var output: [UInt8] = []
            state.refuse(refusal, date: date, into: &output)
            #expect(name(state.sent(100, pending: 3, at: start)) == "wait")
            #expect(name(state.sent(100, pending: 0, at: start)) == "linger")
            #expect(state.wantsInput)
            #expect(name(receive(&state, Array(get.utf8), at: start)) == "wait")
            switch ending {
            case "end": #expect(name(state.receiveEnd(at: start)) == "close")
            case "time": #expect(name(state.timeOut(at: start + .seconds(2))) == "close")
            default: #expect(name(receive(&state, [UInt8](repeating: 0, count: 1024 * 1024), at: start)) == "close")
            }
        }
    }

    @Test("Draining closes the idle, and makes the answer in progress the last")
    func draining() {
        var idle = ConnectionState(limits: ConnectionLimits(), at: start)
        idle.drain()
        #expect(name(idle.closeIfIdle()) == "close")

        var busy = ConnectionState(limits: ConnectionLimits(), at: start)
        guard case .respond(_, let ticket) = receive(&busy, Array(get.utf8), at: start) else { return #expect(Bool(false)) }
        busy.drain()
        #expect(name(busy.closeIfIdle()) == "wait")
        var output: [UInt8] = []
        #expect(busy.answer(ticket, with: Response(Status(200)), date: date, into: &output, at: start))
        #expect(text(output)?.contains("Connection: close") == true)
        #expect(name(busy.sent(100, pending: 0, at: start)) == "linger")

        var unsent = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(unsent.sent(100, pending: 1, at: start)) == "wait")
        unsent.drain()
        #expect(name(unsent.closeIfIdle()) == "wait")
        #expect(name(unsent.sent(100, pending: 0, at: start)) == "linger")
    }

    @Test("The end of the input: between requests it is goodbye, within one it is refused, after one the answer still goes out")
    func halfClose() {
        var idle = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(idle.receiveEnd(at: start)) == "close")
        var partial = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(receive(&partial, [0x47], at: start)) == "wait")
        #expect(name(partial.receiveEnd(at: start + .seconds(1))) == "refuse 400 after 1.0 seconds")
        var busy = ConnectionState(limits: ConnectionLimits(), at: start)
        #expect(name(receive(&busy, Array(get.utf8), at: start)) == "respond")
        #expect(name(busy.receiveEnd(at: start)) == "wait")
    }

    // MARK: Helpers

    private func receive(_ state: inout ConnectionState, _ bytes: [UInt8], at now: Moment) -> ConnectionState.Step {
        var position = 0
        return state.receive(bytes.span, from: &position, at: now)
    }

    private func name(_ step: ConnectionState.Step) -> String {
        switch step {
        case .wait: "wait"
        case .invite: "invite"
        case .respond: "respond"
        case .refuse(let refusal, let duration): "refuse \(refusal.status.code) after \(duration)"
        case .linger: "linger"
        case .close: "close"
        }
    }
}
