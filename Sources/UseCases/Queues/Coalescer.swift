/// Asks the store for whoever wants to know something, for many at once: who comes while one call is under way goes along with the next.
///
/// So a store at the other end of a network is asked as often as a call takes, and not as often as somebody wants to know.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Ask = @Sendable ([Key]) throws(StoreError) -> [Key: Value]
    /// Gets `nil` where the store has nothing under the key.
    typealias Answer = @Sendable (Result<Value?, StoreError>) -> Void

    private typealias Question = (key: Key, answer: Answer)

    private let questions: BatchQueue<Question>
    private let ask: Ask

    /// - Parameters:
    ///   - limit: keys that are asked for in one call.
    ///   - most: questions that may wait.
    ///   - ask: called on a queue of this object's own, one call at a time.
    init(_ label: String, limit: Int, most: Int = Bounds.waitingQuestions, ask: @escaping Ask) {
        questions = BatchQueue(label, capacity: most, batchSize: limit)
        self.ask = ask
    }

    /// - Returns: whether there is room for one more question; else nobody is answered.
    func ask(_ key: Key, then answer: @escaping Answer) -> Bool { questions.add((key, answer)) { self.ask($0) } }

    private func ask(_ questions: [Question]) {
        let answers = askEach(Array(Set(questions.map(\.key))), ask)
        for (key, answer) in questions { answer(answers[key] ?? .success(nil)) }
    }
}
