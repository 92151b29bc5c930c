import Glibc

/// The last line of a process that the system ends for a fault of its own: like all others one JSON object, so that whoever gathers logs
/// finds it.
enum CrashLine {
    /// What a trap of Swift, a bad address or an abort come as.
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]

    /// Written beforehand, for whoever handles a signal may not even allocate (signal-safety(7)).
    nonisolated(unsafe) private static let line: UnsafeMutableRawBufferPointer = {
        let text = #"{"at":0000000000000,"level":"error","module":"server","event":"crashed","signal":  }"# + "\n"
        let line = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        line.copyBytes(from: text.utf8)
        return line
    }()
    private static let timePlace = 6
    private static let timeDigits = 13

    /// From now on such an end is told on standard error. The process ends by the signal all the same.
    static func begin() {
        _ = line
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                CrashLine.write(number)
                // What it did before is in its place again.
                raise(number)
            }
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
            sigaction(number, &action, nil)
        }
    }

    private static func write(_ signal: Int32) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var rest = time.tv_sec &* 1000 &+ time.tv_nsec / 1_000_000
        for place in (timePlace..<timePlace + timeDigits).reversed() {
            line[place] = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
            rest /= 10
        }
        let end = line.count - 2
        line[end - 2] = signal >= 10 ? UInt8(truncatingIfNeeded: 0x30 &+ signal / 10) : 0x20
        line[end - 1] = UInt8(truncatingIfNeeded: 0x30 &+ signal % 10)
        _ = Glibc.write(STDERR_FILENO, line.baseAddress, line.count)
    }
}
