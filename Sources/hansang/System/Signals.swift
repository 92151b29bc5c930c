import Dispatch
import Glibc

/// Signals as events on a queue, for as long as this is held.
final class Signals {
    private let queue = DispatchQueue(label: "hansang.signals")
    private var sources: [any DispatchSourceSignal] = []

    /// A client that goes away must not take the process along, nor a file that may not grow: the calls fail and say so.
    static func ignoreFailedWrites() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }

    /// Calls `handler` for each of these signals in place of what they would do, from when this returns.
    ///
    /// Dispatch takes a signal up on a thread of its own and some time later, and one that came meanwhile would be lost if it were
    /// ignored: so until then it does what it always did, and this waits.
    func on(_ signals: [Int32], _ handler: @escaping @Sendable () -> Void) {
        for number in signals {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            let isTakenUp = DispatchSemaphore(value: 0)
            source.setRegistrationHandler { isTakenUp.signal() }
            source.activate()
            isTakenUp.wait()
            sources.append(source)
        }
    }
}
