import Dispatch
import Glibc
import HTTP

/// One client: a socket and the state of its protocol.
///
/// `@unchecked Sendable` because replies and streams carry it to other threads. They touch only `loop` and what `ReplyChannel` asks for;
/// all else belongs to the queue of the loop, which every way in checks. What is not private is for `Connection+Streams`.
final class Connection: @unchecked Sendable {
    let descriptor: Int32
    let loop: EventLoop
    var state: ConnectionState
    /// What was read and not used, because an answer is due first: at most what one read has brought.
    private var input: [UInt8] = []
    private var inputStart = 0
    /// What the socket has not taken yet. The rest of a chunk shares its bytes with the other streams that it went to.
    var output: [UInt8] = []
    var outputStart = 0
    var stream: OpenStream?
    var interruption: (@Sendable (CloseReason) -> Void)?
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
        if events.contains(.input) { read() }
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
    func drain(closingIdle: Bool) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        state.drain()
        if state.wantsInput { read() }
        interrupt(.serverStopping)
        if stream != nil {
            finishStream(.serverStopping)
            goOn()
        }
        if closingIdle { perform(state.closeIfIdle()) }
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
    func goOn() {
        useInput()
        flush()
    }

    // MARK: In

    private func read() {
        guard state.wantsInput else {
            guard !state.isClosed else { return }
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

    /// To be called when input is wanted.
    private func use(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        repeat {
            let step = state.receive(bytes, from: &position, at: loop.now)
            if case .wait = step { break }
            let isRequest = if case .respond = step { true } else { false }
            perform(step)
            if loop.output.count > loop.limits.maximumOutputSize { flush() }
            if isRequest, position == bytes.count { break }
        } while state.wantsInput
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

    func perform(_ step: consuming ConnectionState.Step, because reason: CloseReason = .clientGone) {
        switch consume step {
        case .wait: break
        case .invite: loop.output.write { $0.append(contentsOf: ResponseEncoder.invitation) }
        case .respond(let request, let ticket): loop.respond(to: request, of: self, Reply(self, ticket))
        case .refuse(let refusal, let duration):
            loop.output.write { state.refuse(refusal, date: loop.date, into: &$0) }
            loop.onRefusal?(refusal.status, duration)
        case .linger:
            (input, inputStart) = ([], 0)
            shutdown(descriptor, Int32(SHUT_WR))
        case .close:
            loop.output.discard()
            stream.take()?.end(reason)
            interrupt(reason)
            loop.close(self)
        }
    }

    func write(_ response: Response, _ ticket: ConnectionState.Ticket) -> Bool {
        let isDue = loop.output.write { state.answer(ticket, with: response, date: loop.date, into: &$0, at: loop.now) }
        guard isDue else { return false }
        interruption = nil
        return true
    }

    // MARK: Out

    /// Sends what this turn has added, behind what is still waiting.
    func flush() {
        guard !state.isClosed else { return }
        let added = loop.output.take()
        if output.isEmpty {
            // The end of a stream may be nothing but the end of the connection.
            guard let count = added.isEmpty ? 0 : send(added, from: 0) else { return perform(state.close()) }
            let left = added.count - count
            if left > 0 { output = Array(added[count...]) }
            loop.output.reuse(consume added)
            return sent(count, pending: left)
        }
        // Not where there is nothing to add: the bytes may be shared with other streams, and would be copied.
        if !added.isEmpty {
            // Put together outside of the property, which then is nowhere changed in a way that has to be watched (`EventLoop.write`).
            var waiting: [UInt8] = []
            swap(&waiting, &output)
            waiting.append(contentsOf: added)
            output = consume waiting
        }
        loop.output.reuse(consume added)
        guard let count = send(output, from: outputStart) else { return perform(state.close()) }
        outputStart += count
        if outputStart == output.count { (output, outputStart) = ([], 0) }
        sent(count, pending: output.count - outputStart)
        useInput()
        if !loop.output.isEmpty { flush() }
        pull()
    }

    func sent(_ count: Int, pending: Int) { perform(state.sent(count, pending: pending, at: loop.now)) }

    /// How many bytes the socket has taken, `nil` when it is broken.
    func send(_ bytes: [UInt8], from start: Int) -> Int? {
        let count = bytes.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    // MARK: Watching

    /// Brings the epoll set and the timers in line with the state. Input is not taken out of the set until it gets in the way: most
    /// clients send nothing while they wait for an answer.
    func settle() {
        guard let interest = state.interest else { return }
        var wanted = watched.subtracting(.output)
        if !output.isEmpty { wanted.insert(.output) }
        if interest.input {
            wanted.insert(.input)
        } else if !interest.end {
            // Level-triggered as well. Where input is read there is no need: its end closes the connection.
            wanted.remove(.end)
        }
        loop.timers[descriptor] = interest.deadline
        watch(wanted)
    }

    private func watch(_ events: Poller.Events) {
        guard events != watched else { return }
        watched = events
        if !loop.watch(descriptor, for: events) { perform(state.close()) }
    }
}
