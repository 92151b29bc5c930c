import MenuGame

/// The rooms that are to be compared with the store, and in which company they are asked for. Pure: whoever is told of a pause keeps it.
///
/// A question that one room makes fail has to be asked again for each of the others. So one that could not be read is asked for alone, and
/// later each time, until it can be.
struct Comparisons {
    private var due: Set<Identifier> = []
    /// How often in a row each of those could not be read that are asked for alone.
    private var failures: [Identifier: Int] = [:]
    /// Those of them whose pause is over.
    private var retries: Set<Identifier> = []

    /// Milliseconds from a room's first failure until it is asked for again, and at most.
    static let pauses = 500...15_000

    var isEmpty: Bool { due.isEmpty && retries.isEmpty }

    /// They may have changed. Those that are asked for alone are not sooner for it.
    mutating func add(_ rooms: some Sequence<Identifier>) {
        for room in rooms where failures[room] == nil { due.insert(room) }
    }

    /// The pause is over that a room was given after so many failures in a row. One that has been asked for meanwhile has another.
    mutating func retry(_ room: Identifier, after count: Int) { if failures[room] == count { retries.insert(room) } }

    /// The store is another than it was: whatever failed may not fail any more.
    mutating func forgive() {
        failures = [:]
        due.formUnion(retries)
        retries = []
    }

    /// What to ask now. Few are asked for alone at a time, so that none of the others has long to wait.
    mutating func take() -> [[Identifier]] {
        let rooms = Array(due)
        due = []
        let alone = Array(retries.prefix(Bounds.roomsPerLoad))
        retries.subtract(alone)
        return stride(from: 0, to: rooms.count, by: Bounds.questionsPerCall).map { Array(rooms[$0...].prefix(Bounds.questionsPerCall)) }
            + alone.map { [$0] }
    }

    /// They were taken and could not be asked for.
    mutating func putBack(_ rooms: some Sequence<Identifier>) {
        for room in rooms { if failures[room] == nil { due.insert(room) } else { retries.insert(room) } }
    }

    /// What came of a question: of its `rooms`, these `unreadable` ones failed.
    ///
    /// - Returns: how many milliseconds each of them is to be left alone for, before `retry`, and how often in a row it has failed.
    mutating func note(_ unreadable: [Identifier], of rooms: [Identifier]) -> [(room: Identifier, count: Int, pause: Int)] {
        let counts = unreadable.map { (room: $0, count: failures[$0, default: 0] + 1) }
        for room in rooms { failures[room] = nil }
        // Whatever has been heard of them while they were asked for waits for their turn, too.
        due.subtract(unreadable)
        retries.subtract(unreadable)
        return counts.map { room, count in
            failures[room] = count
            return (room, count, min(Self.pauses.lowerBound << min(count - 1, 10), Self.pauses.upperBound))
        }
    }
}
