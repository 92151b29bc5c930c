internal import MenuGame
internal import UseCases

/// Where rooms have their rows, as last seen: whoever changes one again need not look for it.
///
/// Only ever a guess. Whoever uses one has the statement see to it that it is still right.
struct RoomRows {
    struct Row {
        let key: Int64
        let dueAt: Instant?
    }

    private var rows: [Identifier: Row] = [:]

    subscript(room: Identifier) -> Row? { rows[room] }

    mutating func note(_ row: Row, of room: Identifier) {
        // Whoever is forgotten is looked up once more.
        if rows.count >= Bounds.rememberedRows { rows.removeAll(keepingCapacity: true) }
        rows[room] = row
    }
}
