/// What the operator wants to know of push. It names no device and no room.
public enum PushReport: Sendable {
    case answered(PushService, PushStage, PushOutcome, PushVerdict)
    /// A message was not sent, since it had lost its worth.
    case expired(PushService, PushStage)
    /// The service fails, which answered until now.
    case firstFailure(PushService, PushOutcome)
    /// The service fails again and again, or refuses us, and is left in peace for a while.
    case troubled(PushService, PushOutcome)
}
