import Dispatch
import Glibc
import HTTP

/// Streams, and answers that wait.
extension Connection {
    /// A stream that came through the mailbox.
    func open(_ stream: OpenStream, _ head: Response) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        begin(stream, head)
        goOn()
        settle()
    }

    private func begin(_ stream: OpenStream, _ head: Response) {
        let interval = stream.heartbeat?.interval
        let isOpen = loop.output.write {
            state.open(stream.ticket, with: head, heartbeat: interval, date: loop.date, into: &$0, at: loop.now)
        }
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
        if !output.isEmpty, stream.hasOverflown { perform(state.close(), because: .tooSlow) }
        pull()
        settle()
    }

    func pull() {
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
        guard let exchange = state.streamExchange else { return }
        loop.output.write { ResponseEncoder.encode(chunk, for: exchange, into: &$0) }
    }

    /// Sends one chunk when nothing waits before it: from where it lies, which is the same place for all its streams.
    func write(_ chunk: StreamChunk) {
        guard let exchange = state.streamExchange, !exchange.isHTTP10 else {
            add(chunk)
            return flush()
        }
        guard let count = send(chunk.framed, from: 0) else { return perform(state.close()) }
        if count < chunk.framed.count { (output, outputStart) = (chunk.framed, count) }
        sent(count, pending: chunk.framed.count - count)
    }

    /// Ends the body behind all that was said.
    func finishStream(_ reason: CloseReason) {
        guard let stream = stream.take() else { return }
        while case .chunk(let chunk, _) = stream.next() { add(chunk) }
        loop.output.write { state.finishStream(into: &$0, at: loop.now) }
        stream.end(reason)
    }

    // MARK: Waiting

    /// A wish to be told that came through the mailbox, or from the responder.
    func expectInterruption(_ ticket: ConnectionState.Ticket, _ handler: @escaping @Sendable (CloseReason) -> Void) {
        dispatchPrecondition(condition: .onQueue(loop.queue))
        guard !state.isClosed else { return handler(.clientGone) }
        guard state.awaits(ticket) else { return }
        if state.isDraining { return handler(.serverStopping) }
        if state.hasEnd { return handler(.clientGone) }
        interruption = handler
    }

    func interrupt(_ reason: CloseReason) { interruption.take()?(reason) }
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
