internal import Dispatch

extension Duration {
    var milliseconds: Int { Int(clamping: components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) }

    /// For Dispatch, whose clock is the monotonic one.
    var interval: DispatchTimeInterval { .milliseconds(milliseconds) }
}
