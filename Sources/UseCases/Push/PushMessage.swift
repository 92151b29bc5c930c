public import MenuGame

/// One device to be told of one stage of one room: a signal to ask the server, and not the truth.
public struct PushMessage: Sendable {
    /// What makes it the same message however often it is sent.
    public struct ID: Hashable, Sendable {
        public let room: Identifier
        /// Of the room as the stage was reached: one room reaches no two stages at one sequence.
        public let sequence: Int
        /// Whose it is (`PushRegistration.id`).
        public let registration: Int64

        public init(room: Identifier, sequence: Int, registration: Int64) {
            self.room = room
            self.sequence = sequence
            self.registration = registration
        }
    }

    /// What may be told of a room on a lock screen: how far it is, and no answer, menu, name or PIN.
    public struct State: Hashable, Sendable {
        public let stage: PushStage
        public let phase: Room.Phase
        public let memberCount: Int
        public let submissionCount: Int
        /// When the room was so.
        public let at: Instant

        public init(stage: PushStage, phase: Room.Phase, memberCount: Int, submissionCount: Int, at: Instant) {
            self.stage = stage
            self.phase = phase
            self.memberCount = memberCount
            self.submissionCount = submissionCount
            self.at = at
        }
    }

    public let registration: PushRegistration
    public let room: Identifier
    public let sequence: Int
    public let state: State
    /// From then on it is worth nothing to anybody.
    public let expiresAt: Instant
    /// How often this stage has been tried for this device.
    public let attempts: Int

    public var id: ID { ID(room: room, sequence: sequence, registration: registration.id) }

    public init(registration: PushRegistration, room: Identifier, sequence: Int, state: State, expiresAt: Instant, attempts: Int) {
        self.registration = registration
        self.room = room
        self.sequence = sequence
        self.state = state
        self.expiresAt = expiresAt
        self.attempts = attempts
    }
}
