public import MenuGame

/// That a room has reached a stage: what phones are to be told, and all of it that may be seen on a lock screen. It holds no answer, menu,
/// name or PIN.
public struct PushNotice: Hashable, Sendable {
    public let room: Identifier
    /// The room's as it reached the stage.
    public let sequence: Int
    public let stage: PushStage
    public let phase: Room.Phase
    public let memberCount: Int
    public let submissionCount: Int
    /// When the room was so.
    public let at: Instant
    /// From then on it is worth nothing to anybody.
    public let expiresAt: Instant

    public init(
        room: Identifier, sequence: Int, stage: PushStage, phase: Room.Phase, memberCount: Int, submissionCount: Int, at: Instant,
        expiresAt: Instant
    ) {
        self.room = room
        self.sequence = sequence
        self.stage = stage
        self.phase = phase
        self.memberCount = memberCount
        self.submissionCount = submissionCount
        self.at = at
        self.expiresAt = expiresAt
    }

    /// The higher, the newer, within one room. What the clock brings about has the sequence of what was there before it.
    public var order: Int64 { Self.order(sequence, stage) }

    public static func order(_ sequence: Int, _ stage: PushStage) -> Int64 { Int64(sequence) << 3 | stage.rank }

    /// Milliseconds for which a stage is worth telling.
    public static var lifetime: Int64 { Bounds.pushLifetime }
}

extension PushNotice {
    /// What there is to tell of a room to which `events` have just happened; `nil` for nothing.
    init?(_ events: [RoomEvent], in room: Room, at now: Instant) {
        guard let stage = Self.stage(events, room) else { return nil }
        let end = now.advanced(by: Bounds.pushLifetime)
        self.init(
            room: room.id, sequence: room.sequence, stage: stage, phase: room.phase, memberCount: room.members.count,
            submissionCount: room.submissionCount, at: now, expiresAt: stage.isFinal ? end : min(end, room.expiresAt))
    }

    private static func stage(_ events: [RoomEvent], _ room: Room) -> PushStage? {
        if room.isClosed { return room.phase == .decided ? nil : .over }
        switch room.phase {
        case .decided: return events.contains { if case .decided = $0 { true } else { false } } ? .decided : nil
        case .revealed: return events.contains { if case .revealed = $0 { true } else { false } } ? .revealed : nil
        case .open:
            // Whoever is alone knows that they have answered.
            guard room.members.count > 1, room.submissionCount == room.members.count else { return nil }
            return events.contains(where: completes) ? .allSubmitted : nil
        }
    }

    /// Whether somebody answered, or went who had not.
    private static func completes(_ event: RoomEvent) -> Bool {
        switch event {
        case .submitted, .left, .removed: true
        default: false
        }
    }
}
