import Dispatch
import Glibc

/// Signals as events on a queue.
final class Signals: Sendable {
    private let queue = DispatchQueue(label: "hansang.signals")

    /// A client that goes away must not take the process along.
    static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }

    /// Calls `handler` for each of these signals in place of what they would do.
    ///
    /// The source stays for as long as the process does.
    func on(_ signals: [Int32], _ handler: @escaping @Sendable () -> Void) {
        for number in signals {
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { @Sendable in
                // Holds the source, which nobody else does.
                withExtendedLifetime(source) { handler() }
            }
            source.activate()
        }
    }
}
