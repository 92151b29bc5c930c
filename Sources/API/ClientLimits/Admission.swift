import Synchronization
import UseCases

/// Something of which a client may have so much: taken once, however often it is asked for, and given back if it came to nothing.
final class Admission: Sendable {
    private enum State {
        case notAsked
        case granted
        case refused(Failure)
    }

    private let state = Mutex(State.notAsked)
    private let take: @Sendable () -> Failure?
    private let giveBack: @Sendable () -> Void

    init(take: @escaping @Sendable () -> Failure?, giveBack: @escaping @Sendable () -> Void) {
        self.take = take
        self.giveBack = giveBack
    }

    /// `nil` where it is granted.
    func ask() -> Failure? {
        state.withLock { state in
            if case .notAsked = state { state = take().map(State.refused) ?? .granted }
            if case .refused(let failure) = state { return failure }
            return nil
        }
    }

    /// For what came to nothing after all.
    func withdraw() {
        state.withLock { state in
            if case .granted = state { giveBack() }
            state = .notAsked
        }
    }
}
