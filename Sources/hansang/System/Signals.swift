import Dispatch
import Glibc

/// Signals as events on a queue, for as long as this is held.
final class Signals {
    private let queue = DispatchQueue(label: "hansang.signals")
    private var sources: [any DispatchSourceSignal] = []

    /// A client that goes away must not take the process along, nor a file that may not grow: the calls fail and say so.
    static func ignoreFailedWrites() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }

    /// Calls `handler` for each of these signals in place of what they would do.
    func on(_ signals: [Int32], _ handler: @escaping @Sendable () -> Void) {
        for number in signals {
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: handler)
            source.activate()
            sources.append(source)
        }
    }
}
