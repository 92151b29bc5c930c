import Dispatch
import MenuGame
import Synchronization

/// Has watched rooms looked at when the clock has changed something about them: their reveal has come, or their end.
///
/// The wall clock decides; a monotonic tick, which runs only while something is watched, does no more than to look at it. Nothing
/// depends on the tick: whoever reads a room goes by the clock as well. Those who only listen would hear of it too late without.
final class Deadlines: Sendable {
    typealias Look = @Sendable (_ room: Identifier, _ pin: PIN) -> Void

    private struct State {
        var agenda = Agenda()
        var isTicking = false
        var look: Look?
    }

    private let queue = DispatchQueue(label: "hansang.deadlines")
    private let state = Mutex(State())
    private let environment: Environment

    private static let tick = DispatchTimeInterval.milliseconds(250)
    /// Milliseconds until a room is looked at again whose reveal could not be written down.
    private static let pause: Int64 = 1000

    init(_ environment: Environment) { self.environment = environment }

    /// `look` is to look at a room and to pass on what it sees. Called on a queue that it must not block.
    func start(_ look: @escaping Look) { state.withLock { $0.look = look } }

    /// A watched room as it is now.
    func note(_ published: PublishedRoom) {
        // At the room's reveal if one is to come, else at its end. One that has come while this was on its way is looked at with the next
        // tick.
        let at = min(published.dueAt ?? published.expiresAt, published.expiresAt)
        let starts = state.withLock { state in
            state.agenda.note(published.room.id, pin: published.room.pin, sequence: published.room.sequence, at: at)
            defer { state.isTicking = true }
            return !state.isTicking
        }
        if starts { schedule() }
    }

    /// Nobody watches the room any more.
    func forget(_ room: Identifier) { state.withLock { $0.agenda.forget(room) } }

    private func schedule() {
        queue.asyncAfter(deadline: .now() + Self.tick) { [weak self] in self?.wake() }
    }

    private func wake() {
        let now = environment.now()
        let (due, look, goesOn) = state.withLock { state in
            let due = state.agenda.take(at: now, pause: Self.pause)
            state.isTicking = !state.agenda.isEmpty
            return (due, state.look, state.isTicking)
        }
        for (room, pin) in due { look?(room, pin) }
        if goesOn { schedule() }
    }
}
