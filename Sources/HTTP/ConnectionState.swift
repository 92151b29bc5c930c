/// The protocol of one connection without its socket (RFC 9112 §9): told what happened and when, it says what to do next.
///
/// ```
///            bytes                whole request               answered
///   idle ───────────▶ receiving ───────────────▶ responding ───────────▶ idle …
///    │ time, end          │ broken, late              │ answered for the last time
///    ▼                    ▼                           ▼            all sent
///  closed              refusing ─────────────────▶ closing ───────────────▶ lingering ──▶ closed
/// ```
///
/// Every method returns at once and does no input or output. It is not for several threads: its owner calls it from one.
///
/// One request is in progress at a time. An answer that goes on, such as a stream of events, is a further phase behind `responding`,
/// which leads on like an answer when the stream is finished. Its heartbeat is the only time that runs in it, but for that of a client
/// that does not read.
public struct ConnectionState {
    /// What the owner of the socket does next.
    public enum Step {
        /// Nothing until something happens.
        case wait
        /// Send `ResponseEncoder.invitation`, then call `receive` again.
        case invite
        /// Have the request answered, and answer with the ticket; until then nothing more is received.
        case respond(Request, Ticket)
        /// Send `RequestError.response` through `refuse`; the duration is what the request had taken so far.
        case refuse(RequestError, after: Duration)
        /// Shut down the sending side and discard what still comes: closing at once would reset the connection, and the reset could
        /// overtake the last answer (RFC 9112 §9.6).
        case linger
        /// Close the socket; nothing more will be asked of it.
        case close
    }

    /// What the owner of the socket waits for.
    public struct Interest {
        /// See `ConnectionState.wantsInput`.
        public let input: Bool
        /// The end of the client's side has not been seen yet.
        public let end: Bool
        /// See `ConnectionState.deadline`.
        public let deadline: Moment?
    }

    /// The right to answer one request, once.
    public struct Ticket: Hashable, Sendable {
        fileprivate var number: UInt64 = 0
    }

    private enum Phase {
        case idle
        case receiving(since: Moment, bodySince: Moment?)
        case responding(Exchange)
        case streaming(Exchange, heartbeat: Duration?)
        case refusing(Exchange)
        case closing
        case lingering(received: Int)
        case closed
    }

    private let limits: ConnectionLimits
    private var decoder: RequestDecoder
    private var phase = Phase.idle
    private var ticket = Ticket()
    private var phaseDeadline: Moment?
    private var pace = WritePace()
    /// The server is stopping.
    public private(set) var isDraining = false
    /// The client has shut its sending side; requests that came before that may still be unread.
    public private(set) var hasEnd = false

    /// - Parameters:
    ///   - limits: the same for the life of the connection.
    ///   - peer: the client's address in text, for `Request.peer`.
    ///   - now: when the connection was accepted; the idle time-out runs from then.
    public init(limits: ConnectionLimits, peer: String = "", at now: Moment) {
        self.limits = limits
        decoder = RequestDecoder(limits: limits, peer: peer)
        phaseDeadline = now + limits.idleTimeout
    }

    /// When `timeOut` wants to be called, if nothing happens before; `nil` while only the responder is waited for.
    public var deadline: Moment? { pace.deadline ?? phaseDeadline }

    /// Whether bytes from the client are of use now. While an answer is due or not yet sent, they stay where they are, and the
    /// client's own buffers fill up.
    public var wantsInput: Bool {
        switch phase {
        case .idle, .receiving: !pace.isPending
        case .lingering: true
        case .responding, .streaming, .refusing, .closing, .closed: false
        }
    }

    /// What there is to wait for; `nil` when the connection is closed.
    public var interest: Interest? { isClosed ? nil : Interest(input: wantsInput, end: !hasEnd, deadline: deadline) }

    /// Whether the answer to that request is still due.
    public func awaits(_ ticket: Ticket) -> Bool {
        if case .responding = phase { ticket == self.ticket } else { false }
    }

    /// The form in which the content of the stream goes out, `nil` while there is none.
    public var streamExchange: Exchange? {
        if case .streaming(let exchange, _) = phase { exchange } else { nil }
    }

    /// Whether bytes that have come but were not used may be forgotten: no further request will be read.
    public var isEnding: Bool {
        switch phase {
        case .idle, .receiving, .responding, .streaming: false
        case .refusing, .closing, .lingering, .closed: true
        }
    }

    /// Whether `Step.close` has been given.
    public var isClosed: Bool {
        if case .closed = phase { true } else { false }
    }

    // MARK: From the client

    /// Bytes have come; `position` moves behind those that were used. What it leaves is to be offered again when `wantsInput` says so.
    public mutating func receive(_ input: Span<UInt8>, from position: inout Int, at now: Moment) -> Step {
        let since: Moment
        switch phase {
        case .idle: since = now
        case .receiving(let start, _): since = start
        case .lingering(let received):
            let total = received + input.count - position
            position = input.count
            phase = .lingering(received: total)
            return total > limits.maximumLingerSize ? close() : .wait
        case .responding, .streaming, .refusing, .closing, .closed: return .wait
        }
        switch decoder.decode(input, from: &position) {
        case .needMore:
            guard !decoder.wantsContinue else {
                decoder.invited()
                phase = .receiving(since: since, bodySince: nil)
                return .invite
            }
            expectMore(since: since, at: now)
            return .wait
        case .request(let request, let exchange):
            ticket.number &+= 1
            phase = .responding(exchange)
            phaseDeadline = nil
            return .respond(request, ticket)
        case .refuse(let error, let exchange):
            return beginRefusal(error, exchange, after: now - since)
        }
    }

    private mutating func expectMore(since: Moment, at now: Moment) {
        guard !decoder.isBetweenRequests else { return }
        guard let received = decoder.bodyReceived else {
            phase = .receiving(since: since, bodySince: nil)
            phaseDeadline = since + limits.headTimeout
            return
        }
        var bodySince = now
        if case .receiving(_, let earlier?) = phase { bodySince = earlier }
        phase = .receiving(since: since, bodySince: bodySince)
        phaseDeadline = bodySince + limits.bodyAllowance(received: received)
    }

    /// The client has shut its sending side. A request that has come whole is answered all the same (RFC 9112 §9.6).
    public mutating func receiveEnd(at now: Moment) -> Step {
        switch phase {
        case .idle, .lingering, .closed: return close()
        case .receiving(let since, _): return giveUp(.malformed, after: now - since)  // incomplete (RFC 9112 §8)
        case .responding, .streaming, .refusing, .closing: return .wait
        }
    }

    /// The client has shut its sending side, whether or not all that came before has been read. A client that has gone looks the same,
    /// so who waits for something may give up: true when an answer is due or a stream is open.
    public mutating func noticeEnd() -> Bool {
        hasEnd = true
        switch phase {
        case .responding, .streaming: return true
        case .idle, .receiving, .refusing, .closing, .lingering, .closed: return false
        }
    }

    // MARK: To the client

    /// Appends the answer to `output`; false, and nothing written, when that request was answered before or the connection is gone.
    public mutating func answer(
        _ ticket: Ticket, with response: borrowing Response, date: borrowing HTTPDate, into output: inout [UInt8], at now: Moment
    ) -> Bool {
        guard case .responding(var exchange) = phase, ticket == self.ticket else { return false }
        exchange.persists = exchange.persists && !isDraining
        ResponseEncoder.encode(response, for: exchange, date: date, into: &output)
        finish(exchange, at: now)
        return true
    }

    /// Appends the head of an answer that stays open and what `head` has of its content; false, and nothing written, where `answer`
    /// would be. Afterwards there is a `streamExchange`, unless the answer can have no content and so was whole.
    public mutating func open(
        _ ticket: Ticket, with head: borrowing Response, heartbeat: Duration?, date: borrowing HTTPDate, into output: inout [UInt8],
        at now: Moment
    ) -> Bool {
        guard case .responding(var exchange) = phase, ticket == self.ticket else { return false }
        // To HTTP/1.0 only the end of the connection can be the end of the body.
        exchange.persists = exchange.persists && !isDraining && (!exchange.isHTTP10 || exchange.isHead)
        if ResponseEncoder.encodeStream(head, for: exchange, date: date, into: &output) {
            phase = .streaming(exchange, heartbeat: heartbeat)
            phaseDeadline = heartbeat.map { now + $0 }
        } else {
            finish(exchange, at: now)
        }
        return true
    }

    /// Appends the end of the stream.
    public mutating func finishStream(into output: inout [UInt8], at now: Moment) {
        guard case .streaming(var exchange, _) = phase else { return }
        if !exchange.isHTTP10 { output.append(StreamChunk.last) }
        exchange.persists = exchange.persists && !isDraining
        finish(exchange, at: now)
    }

    /// True when the stream has been silent for its interval, which then begins anew.
    public mutating func heartbeatIsDue(at now: Moment) -> Bool {
        guard case .streaming(_, let heartbeat?) = phase, !pace.isPending, let due = phaseDeadline, due <= now else { return false }
        phaseDeadline = now + heartbeat
        return true
    }

    private mutating func finish(_ exchange: Exchange, at now: Moment) {
        phase = exchange.persists ? .idle : .closing
        phaseDeadline = exchange.persists ? now + limits.idleTimeout : nil
    }

    /// Appends the answer to a request that `Step.refuse` has turned down.
    public mutating func refuse(_ error: RequestError, date: borrowing HTTPDate, into output: inout [UInt8]) {
        guard case .refusing(let exchange) = phase else { return }
        ResponseEncoder.encode(error.response, for: exchange, date: date, into: &output)
        phase = .closing
    }

    /// The socket has taken what it could of the output, `count` bytes, and `pending` are left.
    public mutating func sent(_ count: Int, pending: Int, at now: Moment) -> Step {
        if count > 0, case .streaming(_, let heartbeat?) = phase { phaseDeadline = now + heartbeat }
        guard pending == 0 else {
            pace.took(count, at: now, limits)
            return .wait
        }
        pace = WritePace()
        switch phase {
        case .closing: break
        case .idle where isDraining: break
        default: return .wait
        }
        phase = .lingering(received: 0)
        phaseDeadline = now + limits.lingerTimeout
        return .linger
    }

    // MARK: From the server

    /// `deadline` may have passed.
    public mutating func timeOut(at now: Moment) -> Step {
        guard let deadline, deadline <= now else { return .wait }
        switch phase {
        case .receiving(let since, _) where !pace.isPending: return giveUp(.timedOut, after: now - since)
        case .streaming where !pace.isPending: return .wait  // `heartbeatIsDue`
        default: return close()
        }
    }

    /// The server is stopping: the next answer, if there is one, is the last.
    public mutating func drain() { isDraining = true }

    /// Ends the connection unless something is in progress.
    public mutating func closeIfIdle() -> Step {
        if case .idle = phase, !pace.isPending { close() } else { .wait }
    }

    /// The connection is broken, or nobody wants to wait for it any longer.
    public mutating func close() -> Step {
        phase = .closed
        phaseDeadline = nil
        pace = WritePace()
        return .close
    }

    private mutating func giveUp(_ error: RequestError, after duration: Duration) -> Step {
        guard case .refuse(let error, let exchange) = decoder.refuse(error) else { return close() }
        return beginRefusal(error, exchange, after: duration)
    }

    private mutating func beginRefusal(_ error: RequestError, _ exchange: Exchange, after duration: Duration) -> Step {
        phase = .refusing(exchange)
        phaseDeadline = nil
        return .refuse(error, after: duration)
    }
}
