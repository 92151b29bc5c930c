/// Something that happened to rooms, for whoever counts it. Told on the queue where it happened, which must not be blocked.
public enum Measurement: Sendable {
    /// The writer took up so many commands at once.
    case batch(commands: Int)
    /// The store has answered a commit, with an outcome for each change.
    case committed([RoomChange], [CommitOutcome], Duration)
    /// So many rooms had expired and were deleted.
    case expired(Int)
    /// A room was read, and was in memory or had to be asked for.
    case read(fromMemory: Bool)
}
