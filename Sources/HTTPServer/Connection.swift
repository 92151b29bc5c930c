import Dispatch
import Glibc
import HTTP

/// One client: a socket and the state of its protocol.
///
/// `@unchecked Sendable` because replies and streams carry it to other threads. They touch only `loop` and what `ReplyChannel` asks for;
/// all else belongs to the queue of the loop, which every way in checks.
final class Connection: @unchecked Sendable {
    let descriptor: Int32
    let loop: EventLoop
    private var state: ConnectionState
    /// What was read and not used, because an answer is due first: at most what one read has brought.
    private var input: [UInt8] = []
    private var inputStart = 0
    /// What the socket has not taken yet. The rest of a chunk shares its bytes with the other streams that it went to.
    private var output: [UInt8] = []
    private var outputStart = 0
    private var stream: OpenStream?
    private var interruption: (@Sendable (CloseReason) -> Void)?
    private var watched = Connection.watchedFirst

    static let watchedFirst: Poller.Events = [.input, .end]

    init(_ descriptor: Int32, peer: String, loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
        state = ConnectionState(limits: loop.limits, peer: peer, at: loop.now)
    }

    var deadline: Moment? { state.deadline }

    // MARK: What happens to it

    func handle(_ events: Poller.Events) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        if events.contains(.output) { flush() }
        if events.contains(.end) { noticeEnd() }
        if events.contains(.input), !state.isClosed { read() }
        // Nobody is left to answer to. Half a close is not enough: such a client still listens.
        if !events.isDisjoint(with: .hangUp), !state.isClosed { perform(state.close()) }
        settle()
    }

    func timeOut() {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        if state.heartbeatIsDue(at: loop.now) {
            if let heartbeat = stream?.heartbeat { write(heartbeat.chunk) }
        } else {
            perform(state.timeOut(at: loop.now), because: .tooSlow)
            flush()
        }
        settle()
    }

    /// The server is stopping. A request that has arrived but was not read yet still counts as in progress.
    func drain() {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        state.drain()
        if state.wantsInput { read() }
        interrupt(.serverStopping)
        if stream != nil {
            finishStream(.serverStopping)
            goOn()
        }
        perform(state.closeIfIdle())
        settle()
    }

    func abort() {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        perform(state.close(), because: .serverStopping)
    }

    /// An answer that came through the mailbox.
    func answer(_ ticket: ConnectionState.Ticket, with response: Response) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        guard write(response, ticket) else { return }
        goOn()
        settle()
    }

    /// With what the client has sent meanwhile, and with what there is to send.
    private func goOn() {
        useInput()
        flush()
    }

    // MARK: In

    private func read() {
        guard state.wantsInput else {
            // Level-triggered: unread bytes would be reported over and over.
            watch(watched.subtracting(.input))
            return
        }
        let buffer = loop.buffer
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            if count == 0 {
                perform(state.receiveEnd(at: loop.now))
                flush()
            } else if errno != EAGAIN, errno != EINTR {
                perform(state.close())
            }
            return
        }
        let used = use(UnsafeBufferPointer(rebasing: buffer[..<count]).span, from: 0)
        if used < count, !state.isEnding {
            input = Array(buffer[used..<count])
            inputStart = 0
        }
        flush()
    }

    /// Goes on with what was left of an earlier read.
    private func useInput() {
        guard !input.isEmpty, state.wantsInput else { return }
        let bytes = input
        inputStart = use(bytes.span, from: inputStart)
        if inputStart == bytes.count || state.isEnding { (input, inputStart) = ([], 0) }
    }

    private func use(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while state.wantsInput {
            let step = state.receive(bytes, from: &position, at: loop.now)
            if case .wait = step { break }
            perform(step)
            if loop.output.count > loop.limits.maximumOutputSize { flush() }
            if position == bytes.count, case .respond = step { break }
        }
        return position
    }

    /// The client has shut its sending side, or is gone: who waits for something is told, and a stream, which would go on for nobody,
    /// is finished.
    private func noticeEnd() {
        guard state.noticeEnd() else { return }
        interrupt(.clientGone)
        finishStream(.clientGone)
        goOn()
    }

    // MARK: Doing what the state says

    private func perform(_ step: ConnectionState.Step, because reason: CloseReason = .clientGone) {
        switch step {
        case .wait: break
        case .invite: loop.output.append(contentsOf: ResponseEncoder.invitation)
        case .respond(let request, let ticket): loop.respond(to: request, of: self, Reply(self, ticket))
        case .refuse(let refusal, let duration):
            state.refuse(refusal, date: loop.date, into: &loop.output)
            loop.onRefusal?(refusal.status, duration)
        case .linger:
            (input, inputStart) = ([], 0)
            shutdown(descriptor, Int32(SHUT_WR))
        case .close:
            loop.output.removeAll(keepingCapacity: true)
            stream.take()?.end(reason)
            interrupt(reason)
            loop.close(self)
        }
    }

    private func write(_ response: Response, _ ticket: ConnectionState.Ticket) -> Bool {
        guard state.answer(ticket, with: response, date: loop.date, into: &loop.output, at: loop.now) else { return false }
        interruption = nil
        return true
    }

    /// A wish to be told that came through the mailbox, or from the responder.
    func expectInterruption(_ ticket: ConnectionState.Ticket, _ handler: @escaping @Sendable (CloseReason) -> Void) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        guard !state.isClosed else { return handler(.clientGone) }
        guard state.awaits(ticket) else { return }
        if state.isDraining { return handler(.serverStopping) }
        if state.hasEnd { return handler(.clientGone) }
        interruption = handler
    }

    private func interrupt(_ reason: CloseReason) { interruption.take()?(reason) }

    // MARK: Streams

    /// A stream that came through the mailbox.
    func open(_ stream: OpenStream, _ head: Response) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        begin(stream, head)
        goOn()
        settle()
    }

    private func begin(_ stream: OpenStream, _ head: Response) {
        let interval = stream.heartbeat?.interval
        let isOpen = state.open(
            stream.ticket, with: head, heartbeat: interval, date: loop.date, into: &loop.output, at: loop.now)
        if isOpen { interruption = nil }
        guard isOpen, state.streamExchange != nil else { return stream.end(.notOpened) }
        self.stream = stream
        // What the kernel has taken can no longer be superseded, so it takes only what it can soon send. Nothing depends on it.
        var size: Int32 = 16 * 1024
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &size, socklen_t(MemoryLayout<Int32>.size))
        if state.isDraining {
            finishStream(.serverStopping)
        } else if state.hasEnd {
            finishStream(.clientGone)
        }
    }

    /// The stream has something to write. If an earlier piece still waits for the client, it comes when that is out.
    func serve(_ stream: OpenStream) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        guard self.stream === stream else { return }
        pull()
        settle()
    }

    private func pull() {
        while let stream, output.isEmpty {
            switch stream.next() {
            case .nothing: return flush()
            case .chunk(let chunk, let isLast):
                if isLast, loop.output.isEmpty {
                    write(chunk)
                } else {
                    add(chunk)
                    if isLast || loop.output.count >= loop.limits.maximumStreamBacklog { flush() }
                }
            case .finish:
                finishStream(.finished)
                goOn()
            case .overflow: perform(state.close(), because: .tooSlow)
            }
        }
    }

    private func add(_ chunk: StreamChunk) {
        if let exchange = state.streamExchange { ResponseEncoder.encode(chunk, for: exchange, into: &loop.output) }
    }

    /// Sends one chunk when nothing waits before it: from where it lies, which is the same place for all its streams.
    private func write(_ chunk: StreamChunk) {
        guard let exchange = state.streamExchange, !exchange.isHTTP10 else {
            add(chunk)
            return flush()
        }
        guard let count = send(chunk.framed, from: 0) else { return perform(state.close()) }
        if count < chunk.framed.count { (output, outputStart) = (chunk.framed, count) }
        sent(count)
    }

    /// Ends the body behind all that was said.
    private func finishStream(_ reason: CloseReason) {
        guard let stream = stream.take() else { return }
        while case .chunk(let chunk, _) = stream.next() { add(chunk) }
        state.finishStream(into: &loop.output, at: loop.now)
        stream.end(reason)
    }

    // MARK: Out

    /// Sends what this turn has added, behind what is still waiting.
    private func flush() {
        guard !state.isClosed else { return }
        if output.isEmpty {
            // The end of a stream may be nothing but the end of the connection.
            guard !loop.output.isEmpty else { return sent(0) }
            guard let count = send(loop.output, from: 0) else { return perform(state.close()) }
            if count < loop.output.count { output = Array(loop.output[count...]) }
            loop.emptyOutput()
            return sent(count)
        }
        if !loop.output.isEmpty {
            output.append(contentsOf: loop.output)
            loop.emptyOutput()
        }
        guard let count = send(output, from: outputStart) else { return perform(state.close()) }
        outputStart += count
        if outputStart == output.count { (output, outputStart) = ([], 0) }
        sent(count)
        useInput()
        if !loop.output.isEmpty { flush() }
        pull()
    }

    private func sent(_ count: Int) { perform(state.sent(count, pending: output.count - outputStart, at: loop.now)) }

    /// How many bytes the socket has taken, `nil` when it is broken.
    private func send(_ bytes: [UInt8], from start: Int) -> Int? {
        let count = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    // MARK: Watching

    /// Brings the epoll set and the timers in line with the state. Input is not taken out of the set until it gets in the way: most
    /// clients send nothing while they wait for an answer.
    private func settle() {
        guard !state.isClosed else { return }
        var wanted = watched.subtracting(.output)
        if !output.isEmpty { wanted.insert(.output) }
        if state.wantsInput {
            wanted.insert(.input)
        } else if state.hasEnd {
            // Level-triggered as well. Where input is read there is no need: its end closes the connection.
            wanted.remove(.end)
        }
        watch(wanted)
        loop.timers[descriptor] = state.deadline
    }

    private func watch(_ events: Poller.Events) {
        guard events != watched else { return }
        watched = events
        if !loop.watch(descriptor, for: events) { perform(state.close()) }
    }
}

extension Connection: ReplyChannel {
    /// The answer of a responder that does not wait goes straight into the output.
    func deliver(_ response: Response, _ ticket: ConnectionState.Ticket) {
        if loop.isResponding(to: self) {
            _ = write(response, ticket)
        } else {
            loop.post(.answer(self, ticket, response))
        }
    }

    func open(_ head: Response, heartbeat: Heartbeat?, _ ticket: ConnectionState.Ticket) -> any ResponseStream {
        let stream = OpenStream(self, ticket, heartbeat: heartbeat, limit: loop.limits.maximumStreamBacklog)
        if loop.isResponding(to: self) {
            begin(stream, head)
        } else if !loop.post(.open(stream, head: head)) {
            stream.end(.notOpened)
        }
        return stream
    }

    func onInterruption(_ ticket: ConnectionState.Ticket, _ handler: @escaping @Sendable (CloseReason) -> Void) {
        if loop.isResponding(to: self) {
            expectInterruption(ticket, handler)
        } else if !loop.post(.interruption(self, ticket, handler)) {
            handler(.serverStopping)
        }
    }
}
