import Dispatch
import MenuGame

/// Keeps answers that belong to no room, one after the other and each in a transaction of its own: no command waits for them.
final class ReceiptKeeper: Sendable {
    private let queue = BoundedQueue("hansang.room-writer.keeper", capacity: Bounds.waitingQuestions)
    private let store: any RoomStore
    private let environment: Environment
    private let observer: RoomObserver
    private let answers: DispatchQueue

    /// - Parameter answers: where callers are answered.
    init(store: any RoomStore, environment: Environment, observer: RoomObserver, answers: DispatchQueue) {
        self.store = store
        self.environment = environment
        self.observer = observer
        self.answers = answers
    }

    /// Keeps an answer, unless there is one under its key already, and gives what is kept.
    func keep<Answer>(_ answer: Answer, _ once: Answering<Answer>.Once, _ claim: RoomWriter.Job.Claim) {
        let isTaken = queue.submit { [self] in
            let now = environment.now()
            var question = StoreQuestion()
            question.receipts = [claim.key]
            question.owners = [claim.key.owner]
            do throws(StoreError) {
                let facts = try store.facts(question, at: now)
                if let receipt = facts.receipts[claim.key] { return answers.async { claim.give(receipt) } }
                guard facts.bytesOfOwners[claim.key.owner, default: 0] < Bounds.receiptBytesPerToken else {
                    return answers.async { once.failed(.tooManyReceipts) }
                }
                let receipt = once.wish.receipt(once.write(.success(answer)), of: nil, at: now)
                if try store.keep(receipt) { return answers.async { once.give(receipt.answer) } }
                // Another server was asked the same at this very moment.
                guard let receipt = try store.receipts([claim.key], at: now)[claim.key] else {
                    return answers.async { once.failed(.storeUnavailable) }
                }
                answers.async { claim.give(receipt) }
            } catch {
                observer.storeFailed(error)
                answers.async { once.failed(.storeUnavailable) }
            }
        }
        if !isTaken { once.failed(.storeUnavailable) }
    }

    /// Calls `completion` when all that has been taken is kept and answered.
    func finish(_ completion: @escaping @Sendable () -> Void) {
        queue.queue.async { self.answers.async(execute: completion) }
    }
}
