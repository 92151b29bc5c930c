import MenuGame

/// What a service has in hand.
struct PushLane {
    let sender: any PushSender
    var gate = ServiceGate()
    var inFlight = 0
    /// When the outbox will have more for it.
    var nextDueAt: Instant?

    /// How many messages to take for it at once, where others are `unsettled`. One that is almost full waits until it is worth a
    /// transaction.
    func room(beside unsettled: Int, at now: Duration) -> Int {
        let free = gate.capacity(Bounds.pushesInFlight, at: now) - inFlight - unsettled
        return inFlight == 0 || free >= Bounds.pushesPerLease ? max(free, 0) : 0
    }
}
