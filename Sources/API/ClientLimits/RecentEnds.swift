import MenuGame
import Synchronization

/// PINs of rooms that ended here a while ago. Whoever was in one asks for it once more, a whole office at a time: that is no guess.
///
/// Of two generations, in bounded memory: an end is remembered for at least `APIBounds.endsRemembered`, unless more rooms than
/// `endsInMemory` end meanwhile.
final class RecentEnds: Sendable {
    private struct Generations {
        var young: Set<PIN> = []
        var old: Set<PIN> = []
        var turnedAt: Duration = .zero
    }

    private let generations = Mutex(Generations())

    /// - Parameter now: on a clock that only goes forward.
    func note(_ pin: PIN, at now: Duration) {
        generations.withLock { generations in
            turn(&generations, at: now)
            generations.young.insert(pin)
        }
    }

    func contains(_ pin: PIN, at now: Duration) -> Bool {
        generations.withLock { generations in
            turn(&generations, at: now)
            return generations.young.contains(pin) || generations.old.contains(pin)
        }
    }

    private func turn(_ generations: inout Generations, at now: Duration) {
        let age = now - generations.turnedAt
        guard age >= APIBounds.endsRemembered || generations.young.count >= APIBounds.endsInMemory else { return }
        // What is older than two turns is forgotten altogether.
        generations.old = age >= APIBounds.endsRemembered * 2 ? [] : generations.young
        generations.young = []
        generations.turnedAt = now
    }
}
