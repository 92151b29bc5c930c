import CEpoll
import Dispatch
import Glibc
import HTTP
import Synchronization

/// One core's share of the server: a serial queue, a listening socket, an epoll set and one source that watches the set.
///
/// The source fires once for a batch of events and not once for each socket; while there is traffic the loop stays with the set and
/// Dispatch is not paid at all. A connection stays with the loop that accepted it.
///
/// `@unchecked Sendable` because connections and the server hand it work from other threads. They touch only `post`, `put`,
/// `wake`, `isResponding` and what begins with `queue.async`; all else belongs to the queue, which every way in checks.
final class EventLoop: @unchecked Sendable {
    let queue: DispatchQueue
    let limits: ConnectionLimits
    let onRefusal: (@Sendable (Status, Duration) -> Void)?
    /// What sockets are read into: one for all connections, since nothing stays in it.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)
    /// What the connection at hand has to send.
    let output: Output
    var timers = Timers()
    private(set) var now = Moment.now
    private(set) var date = HTTPDate(secondsSince1970: 0)

    private let responder: any Responder
    private let capacity: Capacity
    private let tick: Duration
    private var poller: Poller
    private var listener: Listener?
    private var isAccepting = false
    private var connections = ConnectionTable()
    /// Work that is done in slices, so that what clients ask meanwhile does not wait for all of it.
    private var streams = Backlog<OpenStream>()
    private var overdue = Backlog<Int32>()
    private var second = 0
    private let source: any DispatchSourceRead
    private let timer: any DispatchSourceTimer
    private var timerRuns = false
    private var isFinished = false
    private var whenStopped: [@Sendable () -> Void] = []

    private let mailbox = Mailbox()
    private let bell: Bell
    private let respondingThread = Atomic<UInt>(0)
    private var responding: Connection?

    init(
        _ number: Int, listener: Listener, poller: Poller, limits: ConnectionLimits, capacity: Capacity, responder: any Responder,
        onRefusal: (@Sendable (Status, Duration) -> Void)?
    ) {
        queue = DispatchQueue(label: "http.loop.\(number)")
        self.limits = limits
        output = Output(keeping: 2 * limits.maximumOutputSize)
        self.capacity = capacity
        tick = EventLoop.tick(for: limits)
        self.listener = listener
        self.responder = responder
        self.onRefusal = onRefusal
        self.poller = poller
        bell = poller.bell
        source = DispatchSource.makeReadSource(fileDescriptor: poller.descriptor, queue: queue)
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    deinit {
        buffer.deallocate()
        bell.close()
    }

    /// Coarse, as long as no limit is so short that it would show.
    private static func tick(for limits: ConnectionLimits) -> Duration {
        let shortest = [
            limits.headTimeout, limits.bodyTimeout, limits.bodyRateGrace, limits.idleTimeout, limits.writeTimeout, limits.lingerTimeout,
        ].reduce(.seconds(4), min)
        return max(.milliseconds(10), shortest / 4)
    }

    // MARK: Life

    func start() {
        let descriptor = poller.descriptor
        source.setEventHandler { [self] in turn() }
        // The set may be closed only when the source has let go of it.
        source.setCancelHandler { Glibc.close(descriptor) }
        timer.setEventHandler { [self] in expire() }
        timer.schedule(deadline: .distantFuture)
        queue.async { [self] in
            refreshClock()
            accept(true)
        }
        timer.activate()
        source.activate()
    }

    /// Takes no more connections, lets those in progress finish, and calls `completion` when none is left.
    func stop(handingOver: Bool, _ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            whenStopped.append(completion)
            refreshClock()
            // The kernel has let them in, and would reset them, unless somebody else has the socket.
            if !handingOver { acceptWaiting(atMost: capacity.limit) }
            accept(false)
            listener?.close()
            listener = nil
            for connection in connections.all { connection.drain(closingIdle: !handingOver) }
            if handingOver { queue.asyncAfter(deadline: .now() + Self.lastMoment) { [self] in drainIdle() } }
            finishIfEmpty()
        }
    }

    /// For how long an idle connection may still bring a request: it is then told that this was the last one. To close it at once would
    /// lose what is on its way.
    private static let lastMoment = DispatchTimeInterval.milliseconds(250)

    private func drainIdle() {
        refreshClock()
        for connection in connections.all { connection.drain(closingIdle: true) }
    }

    func abort() {
        queue.async { [self] in
            for connection in connections.all { connection.abort() }
        }
    }

    private func finishIfEmpty() {
        guard connections.isEmpty, listener == nil else { return }
        if !isFinished {
            isFinished = true
            for letter in mailbox.close() { letter.returnToSender() }
            source.cancel()
            timer.cancel()
        }
        let completions = whenStopped
        whenStopped = []
        for completion in completions { completion() }
    }

    // MARK: A turn

    private func turn() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isFinished else { return }
        mailbox.wake()
        // Where there was something there will soon be more: a moment's wait for it here is cheaper than to be woken through Dispatch,
        // which takes two threads to do it. Bounded, so that other work on the queue gets its turn.
        var patience: Int32 = 0
        for _ in 0..<64 {
            let isBusy = isBusy
            let count = poller.poll(milliseconds: isBusy ? 0 : patience)
            guard count > 0 || isBusy else { break }
            mailbox.wake()
            refreshClock()
            for index in 0..<count {
                let (descriptor, events) = poller[index]
                if let connection = connections[descriptor] {
                    connection.handle(events)
                } else if descriptor == listener?.descriptor {
                    acceptWaiting()
                }
            }
            readMail()
            if self.isBusy { work() }
            patience = 1
        }
        readMail()
        if isBusy { queue.async { [self] in turn() } }
    }

    private var isBusy: Bool { !streams.isEmpty || !overdue.isEmpty }

    /// A slice of what is to be done: a fraction of a millisecond.
    private func work() {
        for stream in streams.take(atMost: EventLoop.slice) { stream.connection?.serve(stream) }
        for descriptor in overdue.take(atMost: EventLoop.slice) { connections[descriptor]?.timeOut() }
    }

    private static let slice = 64

    private func refreshClock() {
        now = Moment.now
        let second = time(nil)
        guard second != self.second else { return }
        self.second = second
        date = HTTPDate(secondsSince1970: second)
    }

    private func expire() {
        dispatchPrecondition(condition: .onQueue(queue))
        refreshClock()
        if overdue.isEmpty {
            overdue.add(timers.expired(at: now))
            if isBusy { turn() }
        }
        tidy()
        guard connections.isEmpty else { return }
        timerRuns = false
        timer.schedule(deadline: .distantFuture)
    }

    /// When a crowd has left, gives the memory it took back to the system, which the allocator would keep for the next one. Elsewhere,
    /// since it takes milliseconds.
    private func tidy() {
        guard connections.crowdHasLeft() else { return }
        DispatchQueue.global().async { malloc_trim(0) }
    }

    // MARK: Connections

    private func acceptWaiting(atMost limit: Int = 64) {
        for _ in 0..<limit {
            guard listener != nil else { return }
            guard capacity.take() else {
                accept(false)
                return capacity.wait { [weak self] in self?.acceptAgain() }
            }
            switch self.listener?.accept() ?? .none {
            case .connection(let descriptor, let peer): open(descriptor, peer)
            case .none: return capacity.release()
            case .exhausted:
                capacity.release()
                accept(false)
                return queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in accept(true) }
            }
        }
    }

    private func acceptAgain() {
        queue.async { [self] in accept(true) }
    }

    private func accept(_ wanted: Bool) {
        guard let listener, wanted != isAccepting else { return }
        isAccepting = wanted
        if wanted { _ = poller.add(listener.descriptor, for: .input) } else { poller.remove(listener.descriptor) }
    }

    private func open(_ descriptor: Int32, _ peer: String) {
        guard poller.add(descriptor, for: Connection.watchedFirst) else {
            Glibc.close(descriptor)
            return capacity.release()
        }
        let connection = Connection(descriptor, peer: peer, loop: self)
        connections.insert(connection)
        timers[descriptor] = connection.deadline
        guard !timerRuns else { return }
        timerRuns = true
        timer.schedule(deadline: .now() + tick.dispatchInterval, repeating: tick.dispatchInterval)
    }

    /// Lets go of a connection. Its place in the epoll set would go with the descriptor only if no child that is just being started held
    /// another (epoll(7)); what it then reported would be taken for news of the connection that has the number next.
    func close(_ connection: Connection) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard connections.remove(connection) else { return }
        timers[connection.descriptor] = nil
        poller.remove(connection.descriptor)
        Glibc.close(connection.descriptor)
        capacity.release()
        finishIfEmpty()
    }

    func watch(_ descriptor: Int32, for events: Poller.Events) -> Bool { poller.modify(descriptor, for: events) }

    // MARK: Answers

    func respond(to request: consuming Request, of connection: Connection, _ reply: consuming Reply) {
        responding = connection
        respondingThread.store(UInt(pthread_self()), ordering: .relaxed)
        responder.respond(to: request, reply: reply)
        respondingThread.store(0, ordering: .relaxed)
        responding = nil
    }

    /// Whether the caller is inside `respond` for this connection. Only the thread itself can have stored its own number, and only
    /// then is `responding` looked at.
    func isResponding(to connection: Connection) -> Bool {
        respondingThread.load(ordering: .relaxed) == UInt(pthread_self()) && responding === connection
    }

    /// False when the loop has ended.
    @discardableResult
    func post(_ letter: Mailbox.Letter) -> Bool {
        guard mailbox.post(letter) else { return false }
        wake()
        return true
    }

    /// `stream` has something to write. Somebody still has to `wake` the loop.
    func put(_ stream: OpenStream) { mailbox.post(stream) }

    func wake() {
        if mailbox.needsWaking() { bell.ring() }
    }

    /// Until there is no more: then who posts next rings the bell.
    private func readMail() {
        var letters: [Mailbox.Letter] = []
        while mailbox.take(&letters, &streams.waiting, orSleep: !isBusy) {
            refreshClock()
            for letter in letters { letter.open() }
            // What is said to streams while these were read can wait for the next slice.
            if isBusy, letters.isEmpty { return }
        }
    }
}

extension EventLoop: StreamLoop {}
