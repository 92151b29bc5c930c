import Dispatch
import Glibc
import HTTP
import Synchronization

/// One core's share of the server: a serial queue, a listening socket, an epoll set and one source that watches the set.
///
/// The source fires once for a batch of events and not once for each socket; while there is traffic the loop stays with the set and
/// Dispatch is not paid at all. A connection stays with the loop that accepted it.
///
/// `@unchecked Sendable` because connections and the server hand it work from other threads. They touch only `post`, `isResponding`
/// and what begins with `queue.async`; all else belongs to the queue, which every way in checks.
final class EventLoop: @unchecked Sendable {
    let queue: DispatchQueue
    let limits: Limits
    let onRefusal: (@Sendable (Status, Duration) -> Void)?
    /// What sockets are read into: one for all connections, since nothing stays in it.
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 16 * 1024)
    /// What the connection at hand has to send.
    var output: [UInt8] = []
    var timers = Timers()
    private(set) var now = Moment.now
    private(set) var date = HTTPDate(secondsSince1970: 0)

    private let responder: any Responder
    private let maxConnections: Int
    private let tick: Duration
    private var poller: Poller
    private var listener: Listener?
    private var isAccepting = false
    private var connections: [Connection?] = []
    private var count = 0
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
        _ number: Int, listener: Listener, poller: Poller, configuration: ServerConfiguration, responder: any Responder,
        onRefusal: (@Sendable (Status, Duration) -> Void)?
    ) {
        queue = DispatchQueue(label: "http.loop.\(number)", qos: .userInitiated)
        limits = configuration.limits
        maxConnections = max(1, configuration.maxConnections / max(1, configuration.loops))
        tick = EventLoop.tick(for: configuration.limits)
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
    private static func tick(for limits: Limits) -> Duration {
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
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            whenStopped.append(completion)
            refreshClock()
            acceptWaiting(atMost: maxConnections)  // the kernel has let them in, and would reset them
            accept(false)
            listener?.close()
            listener = nil
            for case let connection? in connections { connection.drain() }
            finishIfEmpty()
        }
    }

    func abort() {
        queue.async { [self] in
            for case let connection? in connections { connection.abort() }
        }
    }

    private func finishIfEmpty() {
        guard count == 0, listener == nil else { return }
        if !isFinished {
            isFinished = true
            mailbox.close()
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
        mailbox.wake()
        // Where there was something there will soon be more: a moment's wait for it here is cheaper than to be woken through Dispatch,
        // which takes two threads to do it. Bounded, so that other work on the queue gets its turn.
        var patience: Int32 = 0
        for _ in 0..<64 {
            let count = poller.poll(milliseconds: patience)
            guard count > 0 else { break }
            mailbox.wake()
            refreshClock()
            for index in 0..<count {
                let (descriptor, events) = poller[index]
                if let connection = connection(descriptor) {
                    connection.handle(events)
                } else if descriptor == listener?.descriptor {
                    acceptWaiting()
                }
            }
            readMail()
            patience = 1
        }
        readMail()
    }

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
        for descriptor in timers.expired(at: now) { connection(descriptor)?.timeOut() }
        guard count == 0 else { return }
        timerRuns = false
        timer.schedule(deadline: .distantFuture)
    }

    // MARK: Connections

    private func connection(_ descriptor: Int32) -> Connection? {
        let index = Int(descriptor)
        return index < connections.count ? connections[index] : nil
    }

    private func acceptWaiting(atMost limit: Int = 64) {
        for _ in 0..<limit {
            guard count < maxConnections else { return accept(false) }
            guard let accepted = listener?.accept() else { return }
            switch accepted {
            case .connection(let descriptor, let peer): open(descriptor, peer)
            case .none: return
            case .exhausted:
                accept(false)
                return queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in accept(true) }
            }
        }
    }

    private func accept(_ wanted: Bool) {
        guard let listener, wanted != isAccepting else { return }
        isAccepting = wanted
        if wanted { _ = poller.add(listener.descriptor, for: .input) } else { poller.remove(listener.descriptor) }
    }

    private func open(_ descriptor: Int32, _ peer: String) {
        guard poller.add(descriptor, for: .input) else {
            Glibc.close(descriptor)
            return
        }
        let index = Int(descriptor)
        if index >= connections.count { connections.append(contentsOf: repeatElement(nil, count: index + 1 - connections.count)) }
        let connection = Connection(descriptor, peer: peer, loop: self)
        connections[index] = connection
        timers[descriptor] = connection.deadline
        count += 1
        guard !timerRuns else { return }
        timerRuns = true
        timer.schedule(deadline: .now() + tick.dispatchInterval, repeating: tick.dispatchInterval)
    }

    /// Lets go of a connection; its place in the epoll set goes with the descriptor.
    func close(_ connection: Connection) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard self.connection(connection.descriptor) === connection else { return }
        connections[Int(connection.descriptor)] = nil
        timers[connection.descriptor] = nil
        Glibc.close(connection.descriptor)
        count -= 1
        if !isAccepting, count < maxConnections { accept(true) }
        finishIfEmpty()
    }

    func watch(_ descriptor: Int32, for events: Poller.Events) -> Bool { poller.modify(descriptor, for: events) }

    /// Ready for the next connection; what a large answer has taken is given back.
    func emptyOutput() { output.removeAll(keepingCapacity: output.capacity <= 2 * limits.maximumOutputSize) }

    // MARK: Answers

    func respond(to request: Request, of connection: Connection, _ reply: Reply) {
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

    func post(_ letter: Mailbox.Letter) {
        if mailbox.post(letter) { bell.ring() }
    }

    /// Until there is no more: then the next letter rings the bell.
    private func readMail() {
        while true {
            let letters = mailbox.takeOrSleep()
            guard !letters.isEmpty else { return }
            refreshClock()
            for letter in letters { letter.connection.answer(letter.ticket, with: letter.response) }
        }
    }
}
