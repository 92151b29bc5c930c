import Dispatch
import Synchronization

/// Whether the store can be written. Trying costs a durable write, so whoever asks too often is told what was found last; and where one hangs,
/// nobody waits for it: a store that does not answer for so long cannot be written.
final class Readiness: Sendable {
    typealias Answer = @Sendable (Bool) -> Void

    private struct State {
        var finding: (isWritable: Bool, at: ContinuousClock.Instant)?
        /// The trial that is under way: who waits for it.
        var trial: (number: Int, waiting: [Answer], isLate: Bool)?
        var trials = 0

        mutating func step(for answer: @escaping Answer, at now: ContinuousClock.Instant) -> Step {
            if let finding, now - finding.at < Bounds.readinessValidity { return .tell(finding.isWritable) }
            guard let trial else {
                trials += 1
                self.trial = (trials, [answer], isLate: false)
                return .try(number: trials)
            }
            if trial.isLate { return .tell(false) }
            self.trial?.waiting.append(answer)
            return .wait
        }
    }

    private enum Step {
        case tell(Bool)
        case wait
        case `try`(number: Int)
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant
    private let later: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// - Parameters:
    ///   - now: what has elapsed.
    ///   - later: calls back when so much has.
    init(
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        later: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = Readiness.onQueue
    ) {
        self.now = now
        self.later = later
    }

    private static let queue = DispatchQueue(label: "hansang.readiness")

    static func onQueue(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(pause.milliseconds)), execute: body)
    }

    /// Answers at the latest when `Bounds.readinessPatience` is over.
    ///
    /// - Parameter trial: finds it out, somewhere where it may take its time. There is one at a time.
    func ask(_ trial: (_ found: @escaping Answer) -> Void, _ answer: @escaping Answer) {
        let now = now()
        switch state.withLock({ $0.step(for: answer, at: now) }) {
        case .tell(let isWritable): answer(isWritable)
        case .wait: break
        case .try(let number):
            later(Bounds.readinessPatience) { [weak self] in self?.giveUp(number) }
            trial { [self] in finish($0) }
        }
    }

    private func giveUp(_ number: Int) {
        let waiting = state.withLock { state -> [Answer] in
            guard let trial = state.trial, trial.number == number else { return [] }
            state.trial = (number, [], isLate: true)
            return trial.waiting
        }
        for answer in waiting { answer(false) }
    }

    private func finish(_ isWritable: Bool) {
        let now = now()
        let waiting = state.withLock { state in
            defer { state.trial = nil }
            state.finding = (isWritable, at: now)
            return state.trial?.waiting ?? []
        }
        for answer in waiting { answer(isWritable) }
    }
}
