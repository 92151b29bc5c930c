public import MenuGame

/// One device to be told of one stage of one room: a signal to ask the server, and not the truth.
public struct PushMessage: Hashable, Sendable {
    /// What makes it the same message however often it is sent.
    public struct ID: Hashable, Sendable {
        public let room: Identifier
        /// Of the notice (`PushNotice.order`).
        public let order: Int64
        /// Whose it is (`PushRegistration.id`).
        public let registration: Int64

        public init(room: Identifier, order: Int64, registration: Int64) {
            self.room = room
            self.order = order
            self.registration = registration
        }
    }

    public let registration: PushRegistration
    public let notice: PushNotice
    /// How often this stage has been tried for this device.
    public let attempts: Int

    public init(registration: PushRegistration, notice: PushNotice, attempts: Int) {
        self.registration = registration
        self.notice = notice
        self.attempts = attempts
    }

    public var id: ID { ID(room: notice.room, order: notice.order, registration: registration.id) }
}
