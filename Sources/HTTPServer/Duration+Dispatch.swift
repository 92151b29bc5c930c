import Dispatch

extension Duration {
    /// At most thirty years, so that the nanoseconds fit.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        return .nanoseconds(Int(max(0, min(seconds, 1_000_000_000))) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
