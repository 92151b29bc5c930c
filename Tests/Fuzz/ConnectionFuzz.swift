import HTTP

/// Any bytes from a client, in any pieces, while anything else happens to its connection: the state takes it all, what it has to send is
/// bounded, and without anything else the answers are the same however the bytes are cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConnection(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    for limits in [ConnectionLimits(), .narrow] {
        var cuts = Cuts(of: input)
        var whole = Client(limits)
        whole.send(input)
        for pieces in [cuts.pieces(input, about: 3), cuts.pieces(input, about: 17), input.map { [$0] }] {
            var cut = Client(limits)
            for piece in pieces { cut.send(piece) }
            require(cut.received == whole.received, "other answers when cut in \(pieces.count) pieces")
            require(cut.isOver == whole.isOver, "over or not when cut in \(pieces.count) pieces")
        }
        var troubled = Client(limits, troubles: cuts)
        for piece in cuts.pieces(input, about: 9) { troubled.send(piece) }
        troubled.leave()
    }
    return 0
}

/// A client and the owner of its socket in one, who does what the state says.
private struct Client {
    private let limits: ConnectionLimits
    private var state: ConnectionState
    private var now = Moment(elapsed: .zero)
    private var output: [UInt8] = []
    private(set) var received: [UInt8] = []
    /// What the owner has and the state did not want yet: what one read has brought, and what is still in the socket.
    private var unread: [UInt8] = []
    private var ticket: ConnectionState.Ticket?
    private var lastTicket: ConnectionState.Ticket?
    private var request: Request?
    /// `nil` where nothing happens but what the bytes bring about.
    private var troubles: Cuts?

    init(_ limits: ConnectionLimits, troubles: Cuts? = nil) {
        self.limits = limits
        self.troubles = troubles
        state = ConnectionState(limits: limits, at: now)
    }

    /// Whether no further request will be read.
    var isOver: Bool { state.isEnding }

    mutating func send(_ piece: [UInt8]) {
        unread += piece
        repeat {
            read()
            trouble()
            settle()
        } while !unread.isEmpty && state.wantsInput
    }

    /// Goes, whatever is still on its way, and is not missed.
    mutating func leave() {
        _ = state.noticeEnd()
        carryOut(state.receiveEnd(at: now))
        for _ in 0..<16 where !state.isClosed {
            settle()
            if let deadline = state.deadline { now = max(now, deadline) }
            carryOut(state.timeOut(at: now))
        }
        settle()
        guard !state.isClosed else { return }
        carryOut(state.close())
        require(state.isClosed && state.deadline == nil && !state.wantsInput, "closed, and wants something")
    }

    private mutating func read() {
        var position = 0
        while state.wantsInput, position < unread.count {
            let before = position
            let bytes = unread
            let step = state.receive(bytes.span, from: &position, at: now)
            require(position >= before && position <= unread.count, "position \(position) of \(unread.count)")
            if case .wait = step { require(position == unread.count || !state.wantsInput, "waits, and leaves bytes that it wants") }
            carryOut(step)
            settle()
        }
        unread.removeFirst(position)
        if state.isEnding { unread = [] }
    }

    private mutating func carryOut(_ step: ConnectionState.Step) {
        switch step {
        case .wait: break
        // Where the body has come already nobody is invited (RFC 9110 §10.1.1), so how the bytes are cut may show in this alone.
        case .invite: if troubles != nil { output += ResponseEncoder.invitation }
        case .respond(let request, let ticket):
            require(self.ticket == nil, "a request while another is being answered")
            require(request.body.count <= limits.maximumBodySize, "a body beyond the limit")
            (self.request, self.ticket) = (request, ticket)
        case .refuse(let refusal, let duration):
            require(duration >= .zero, "a refusal before the request")
            state.refuse(refusal, date: Self.date, into: &output)
            ticket = nil
        case .linger: require(output.isEmpty, "lingers before all is sent")
        case .close:
            require(state.isClosed, "closes, and is not closed")
            output = []
        }
    }

    /// Answers what is to be answered, and has all of it taken.
    private mutating func settle() {
        answer()
        require(output.count <= 4 * (limits.maximumHeadSize + limits.maximumBodySize) + 4096, "\(output.count) bytes to send")
        if troubles == nil {
            received += output
            let count = output.count
            output = []
            if !state.isClosed { carryOut(state.sent(count, pending: 0, at: now)) }
        } else if !state.isClosed {
            let count = min(output.count, troubles?.number(below: 256) ?? 0)
            output.removeFirst(count)
            carryOut(state.sent(count, pending: output.count, at: now))
        }
    }

    private mutating func answer() {
        guard let request, let ticket, !state.isClosed else { return }
        var response = Response(
            Status(200), fields: [Field(FieldName("P"), String(decoding: request.path, as: UTF8.self))], body: request.body)
        let kind = troubles?.number(below: 6) ?? 5
        if kind == 0 { return }
        if kind == 1 { response.status = Status(204) }
        if kind == 2 {
            let isOpen = state.open(ticket, with: response, heartbeat: .seconds(1), date: Self.date, into: &output, at: now)
            require(isOpen, "a stream was due and is not taken")
            if let exchange = state.streamExchange { ResponseEncoder.encode(StreamChunk(request.path), for: exchange, into: &output) }
            state.finishStream(into: &output, at: now)
        } else {
            require(
                state.answer(ticket, with: response, date: Self.date, into: &output, at: now), "an answer was due and is not taken")
        }
        require(!state.awaits(ticket), "still awaits what it has")
        (self.request, self.ticket, lastTicket) = (nil, nil, ticket)
    }

    private mutating func trouble() {
        guard let kind = troubles?.number(below: 12), !state.isClosed else { return }
        switch kind {
        case 0: now = now + .seconds(troubles?.number(below: 100) ?? 0)
        case 1:
            let deadline = state.deadline
            if let deadline { now = max(now, deadline) }
            if !state.heartbeatIsDue(at: now) { carryOut(state.timeOut(at: now)) }
        case 2: state.drain()
        case 3: carryOut(state.closeIfIdle())
        case 4: _ = state.noticeEnd()
        case 5:
            // Nobody asked for this.
            guard let lastTicket, lastTicket != ticket else { return }
            let before = output
            let isTaken = state.answer(lastTicket, with: Response(Status(200)), date: Self.date, into: &output, at: now)
            require(!isTaken && output == before, "a request is answered twice")
        default: break
        }
    }

    private static let date = HTTPDate(secondsSince1970: 784_111_777)
}
