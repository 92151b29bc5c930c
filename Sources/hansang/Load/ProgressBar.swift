import Glibc

/// How far something is, on one line of a terminal that is written over; where standard error is none, nothing is shown.
struct ProgressBar {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var last = ContinuousClock.now - .seconds(1)
    private static let width = 30

    /// A tenth of a second after the last time at the earliest, and at the end.
    mutating func show(_ done: Int, of all: Int, _ remark: String) {
        guard isShown, done == all || ContinuousClock.now - last > .milliseconds(100) else { return }
        last = .now
        let filled = all > 0 ? min(Self.width, done * Self.width / all) : Self.width
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        // To the start of the line, and what is behind the end of it is cleared (ECMA-48: EL).
        write("\r\(bar) \(done)/\(all)  \(remark)\u{1B}[K")
        if done == all { write("\n") }
    }

    private func write(_ text: String) { _ = FileDescriptor.standardError.write(Array(text.utf8)) }
}
