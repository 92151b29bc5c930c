import Dispatch
import MenuGame
import Synchronization

/// Takes messages that are due out of the outbox, gives them to their services, and writes down what came of it, for as long as it exists.
///
/// All on one serial queue, in turns: write down what was answered, take what there is room for, send it. So many answers share one
/// transaction, and so do many messages. Each service has a lane of its own, with its own bound and its own gate: none waits for another.
/// Whatever is sent twice, after a crash between sending and writing down, is the same message under the same id.
///
/// `@unchecked Sendable` because the lanes and what is not yet written down are touched on the queue alone, which every way in checks.
public final class PushWorker: @unchecked Sendable {
    private struct Inbox {
        var answered: [Answer] = []
        /// Whether a turn is to come, and whether at once.
        var isTurnDue = false
        var isTurnUrgent = false
    }

    private struct Answer {
        let message: PushMessage
        let service: PushService
        let outcome: PushOutcome
    }

    private let queue = DispatchQueue(label: "hansang.push")
    private let timer: any DispatchSourceTimer
    private var lanes: [PushLane]
    /// Answered and not yet written down.
    private var unsettled: [PushSettlement] = []
    private var warnedAt: Instant?
    private var isStopped = false
    private var whenIdle: [@Sendable () -> Void] = []
    private let inbox = Mutex(Inbox())
    private let outbox: any PushOutbox
    private let environment: Environment
    private let elapsed: @Sendable () -> Duration
    private let storeFailed: @Sendable (StoreError) -> Void
    private let report: @Sendable (PushReport) -> Void

    /// Answers wait that long for others, so that they are written down together.
    private static let company = DispatchTimeInterval.milliseconds(50)
    /// Seconds between two turns that nobody calls for, however much waits: others want to get on, too.
    private static let pause = 0.05
    /// Seconds until the outbox is looked at again though nobody has said that there is something: another server may have put it there.
    private static let patience = 30.0

    /// - Parameters:
    ///   - senders: one for each service that there are credentials for. What waits for others waits until it expires.
    ///   - elapsed: the monotonic clock.
    ///   - storeFailed: told of every failure of the outbox, as `report` is.
    ///   - report: told of what the operator wants to know, on the worker's queue; it must not block.
    public init(
        outbox: any PushOutbox, senders: [any PushSender], environment: Environment, elapsed: @escaping @Sendable () -> Duration,
        storeFailed: @escaping @Sendable (StoreError) -> Void,
        report: @escaping @Sendable (PushReport) -> Void = { _ in }
    ) {
        self.outbox = outbox
        self.environment = environment
        self.elapsed = elapsed
        self.storeFailed = storeFailed
        self.report = report
        lanes = senders.map { PushLane(sender: $0) }
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.turn() }
        timer.schedule(deadline: .now())
        timer.activate()
    }

    deinit { timer.cancel() }

    /// There is something new in the outbox.
    public func wake() { callTurn(isUrgent: true) }

    /// There may be: it is looked for in a moment, once for all who say so until then.
    public func look() { callTurn(isUrgent: false) }

    /// Takes nothing more, waits for what is on its way, writes that down, then calls `completion`.
    public func stop(then completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            isStopped = true
            whenIdle.append(completion)
            turn()
        }
    }

    private func answered(_ answer: Answer) {
        inbox.withLock { $0.answered.append(answer) }
        callTurn(isUrgent: false)
    }

    private func callTurn(isUrgent: Bool) {
        inbox.withLock { inbox in
            if inbox.isTurnDue, inbox.isTurnUrgent || !isUrgent { return }
            inbox.isTurnDue = true
            inbox.isTurnUrgent = isUrgent
            if isUrgent {
                queue.async { [weak self] in self?.turn() }
            } else {
                queue.asyncAfter(deadline: .now() + Self.company) { [weak self] in self?.turn() }
            }
        }
    }

    // MARK: On the queue

    private func turn() {
        dispatchPrecondition(condition: .onQueue(queue))
        let answers = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox.answered
        }
        for answer in answers { note(answer) }
        settle()
        warn()
        if !isStopped { for index in lanes.indices { take(index) } }
        schedule()
        guard isStopped, lanes.allSatisfy({ $0.inFlight == 0 }) else { return }
        let completions = whenIdle
        whenIdle = []
        for completion in completions { completion() }
    }

    private func note(_ answer: Answer) {
        guard let index = lanes.firstIndex(where: { $0.sender.service == answer.service }) else { return }
        lanes[index].inFlight -= 1
        if isStopped, case .again = answer.outcome {
            // It was given up here, as far as anybody can tell: neither the message's fault nor the service's.
            return unsettled.append(PushSettlement(answer.message.id, PushRules.interrupted(answer.message, at: environment.now())))
        }
        let verdict = PushRules.verdict(
            on: answer.message, after: answer.outcome, at: environment.now(), random: environment.random())
        unsettled.append(PushSettlement(answer.message.id, verdict))
        let wasSound = lanes[index].gate.isSound
        let isShut = lanes[index].gate.note(answer.outcome, at: elapsed(), random: environment.random())
        report(.answered(answer.service, answer.message.notice.stage, answer.outcome, verdict))
        if isShut {
            report(.troubled(answer.service, answer.outcome))
        } else if wasSound, !lanes[index].gate.isSound {
            report(.firstFailure(answer.service, answer.outcome))
        }
    }

    private func settle() {
        guard !unsettled.isEmpty else { return }
        do throws(StoreError) {
            try outbox.settle(unsettled)
            unsettled = []
        } catch {
            // It is tried again with the next turn. Until then there is less room to send.
            storeFailed(error)
        }
    }

    /// Now and then, since it takes a look at every room that ends soon.
    private func warn() {
        let now = environment.now()
        // Also where the clock has been set back.
        if let warnedAt, (warnedAt..<warnedAt.advanced(by: Int64(Self.patience) * 1000)).contains(now) { return }
        guard !isStopped else { return }
        warnedAt = now
        do throws(StoreError) {
            try outbox.warn(expiringBefore: now.advanced(by: Bounds.pushWarning), at: now, limit: Bounds.warningsPerCall)
        } catch {
            storeFailed(error)
        }
    }

    private func take(_ index: Int) {
        let now = environment.now()
        let lane = lanes[index]
        let free = lane.room(beside: unsettled.count, at: elapsed())
        guard free > 0 else { return }
        let lease: PushLease
        do throws(StoreError) {
            lease = try outbox.lease(lane.sender.service, at: now, until: now.advanced(by: Bounds.pushLease), limit: free)
        } catch {
            lanes[index].nextDueAt = now.advanced(by: 1000)
            return storeFailed(error)
        }
        lanes[index].nextDueAt = lease.nextDueAt
        for message in lease.messages {
            guard message.notice.expiresAt > now else {
                unsettled.append(PushSettlement(message.id, .dropped))
                report(.expired(lane.sender.service, message.notice.stage))
                continue
            }
            lanes[index].inFlight += 1
            lanes[index].gate.sent()
            lane.sender.send(message, at: now) { [weak self] outcome in
                self?.answered(Answer(message: message, service: message.registration.platform.service, outcome: outcome))
            }
        }
        if lanes[index].inFlight == 0, !unsettled.isEmpty { callTurn(isUrgent: true) }
    }

    /// The next turn without anybody calling for it. The wall clock may have been set meanwhile, so it is looked at often enough.
    private func schedule() {
        let (now, elapsed) = (environment.now(), elapsed())
        var seconds = Self.patience
        for lane in lanes {
            if let opensAt = lane.gate.opensAt, opensAt > elapsed {
                seconds = min(seconds, (opensAt - elapsed) / .seconds(1))
            } else if let nextDueAt = lane.nextDueAt, lane.room(beside: unsettled.count, at: elapsed) > 0 {
                let (wait, overflow) = nextDueAt.milliseconds.subtractingReportingOverflow(now.milliseconds)
                seconds = min(seconds, overflow ? Self.patience : max(0, Double(wait) / 1000))
            }
        }
        if !unsettled.isEmpty { seconds = min(seconds, 1) }
        timer.schedule(deadline: .now() + max(seconds, Self.pause))
    }
}
