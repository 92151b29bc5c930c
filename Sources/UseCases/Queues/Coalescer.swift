import Dispatch
import Synchronization

/// Asks the store for whoever wants to know something, for many at once: who comes while one call is under way goes along with the next.
///
/// So a store at the other end of a network is asked as often as a call takes, and not as often as somebody wants to know.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Ask = @Sendable ([Key]) throws(StoreError) -> [Key: Value]
    /// Gets `nil` where the store has nothing under the key.
    typealias Answer = @Sendable (Result<Value?, StoreError>) -> Void

    private struct Inbox {
        var questions: [(key: Key, answer: Answer)] = []
        var isAsking = false
    }

    private let queue: DispatchQueue
    private let inbox = Mutex(Inbox())
    private let limit: Int
    private let most: Int
    private let ask: Ask

    /// - Parameters:
    ///   - limit: keys that are asked for in one call.
    ///   - most: questions that may wait.
    ///   - ask: called on a queue of this object's own, one call at a time.
    init(_ label: String, limit: Int, most: Int = Bounds.waitingQuestions, ask: @escaping Ask) {
        queue = DispatchQueue(label: label)
        self.limit = limit
        self.most = most
        self.ask = ask
    }

    /// - Returns: whether there is room for one more question; else nobody is answered.
    func ask(_ key: Key, then answer: @escaping Answer) -> Bool {
        inbox.withLock { inbox in
            guard inbox.questions.count < most else { return false }
            inbox.questions.append((key, answer))
            if !inbox.isAsking {
                inbox.isAsking = true
                queue.async { self.askForThoseWhoWait() }
            }
            return true
        }
    }

    private func askForThoseWhoWait() {
        let questions = inbox.withLock { inbox in
            let questions = Array(inbox.questions.prefix(limit))
            inbox.questions.removeFirst(questions.count)
            return questions
        }
        let answers = askEach(Array(Set(questions.map(\.key))), ask)
        for (key, answer) in questions { answer(answers[key] ?? .success(nil)) }
        inbox.withLock { inbox in
            inbox.isAsking = !inbox.questions.isEmpty
            if inbox.isAsking { queue.async { self.askForThoseWhoWait() } }
        }
    }
}
