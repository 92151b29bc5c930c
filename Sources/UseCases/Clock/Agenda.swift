import MenuGame

/// When each watched room wants to be looked at. To ask costs nothing as long as no turn has come.
struct Agenda {
    /// A room, and when it is its turn.
    private struct Turn {
        let pin: PIN
        /// Of the room as it was noted.
        let sequence: Int
        var at: Instant
    }

    private var turns: [Identifier: Turn] = [:]
    /// No turn comes before it; `nil` where there is none at all.
    private var earliest: Instant?

    var isEmpty: Bool { turns.isEmpty }

    /// Sets a room's turn, in place of the one it had, unless that is of a later state of the room.
    mutating func note(_ room: Identifier, pin: PIN, sequence: Int, at instant: Instant) {
        if let known = turns[room], known.sequence > sequence { return }
        turns[room] = Turn(pin: pin, sequence: sequence, at: instant)
        earliest = min(earliest ?? instant, instant)
    }

    mutating func forget(_ room: Identifier) { turns[room] = nil }

    /// The rooms whose turn has come by `now`. Their next comes `pause` milliseconds later, unless another is noted.
    mutating func take(at now: Instant, pause: Int64) -> [(room: Identifier, pin: PIN)] {
        guard let earliest, earliest <= now else { return [] }
        let next = now.advanced(by: pause)
        var due: [(room: Identifier, pin: PIN)] = []
        for index in turns.indices where turns[index].value.at <= now {
            due.append((turns[index].key, turns[index].value.pin))
            turns.values[index].at = next
        }
        self.earliest = turns.values.lazy.map(\.at).min()
        return due
    }
}
