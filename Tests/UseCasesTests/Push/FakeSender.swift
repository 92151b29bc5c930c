import MenuGame
import Synchronization
import UseCases

/// A push service that answers as it is told, or when it is told.
final class FakeSender: PushSender {
    typealias Completion = @Sendable (PushOutcome) -> Void

    private struct State {
        var sent: [PushMessage] = []
        var waiting: [(PushMessage, Completion)] = []
        var most = 0
    }

    let service: PushService
    private let state = Mutex(State())
    private let answer: Mutex<@Sendable (PushMessage) -> PushOutcome?>

    /// - Parameter answer: `nil` for messages that are to wait for `answerWaiting`.
    init(_ service: PushService = .apns, _ answer: @escaping @Sendable (PushMessage) -> PushOutcome? = { _ in .accepted }) {
        self.service = service
        self.answer = Mutex(answer)
    }

    func send(_ message: PushMessage, at now: Instant, completion: @escaping Completion) {
        let outcome = answer.withLock { $0 }(message)
        state.withLock { state in
            state.sent.append(message)
            if outcome == nil { state.waiting.append((message, completion)) }
            state.most = max(state.most, state.waiting.count)
        }
        if let outcome { completion(outcome) }
    }

    func answer(_ answer: @escaping @Sendable (PushMessage) -> PushOutcome?) { self.answer.withLock { $0 = answer } }

    /// Answers those that wait.
    func answerWaiting(_ outcome: PushOutcome = .accepted) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for (_, completion) in waiting { completion(outcome) }
    }

    /// In the order of sending.
    var sent: [PushMessage] { state.withLock { $0.sent } }
    var sequences: [Int] { sent.map(\.notice.sequence) }
    var waiting: Int { state.withLock { $0.waiting.count } }
    /// How many waited at a time, at most.
    var most: Int { state.withLock { $0.most } }
}
