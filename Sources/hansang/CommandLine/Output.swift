import Glibc

/// How a process ends (sysexits.h), and the one line that says why.
enum ExitStatus: Int32 {
    case usage = 64
    case badInput = 65
    case noInput = 66
    case unavailable = 69
    case ioError = 74
}

enum Output {
    static func print(_ text: String) { print(Array(text.utf8)) }

    static func print(_ bytes: [UInt8]) {
        if !FileDescriptor.standardOutput.write(bytes) { fail("standard output cannot be written", .ioError) }
    }

    /// Says in one line on standard error why it ends, with one more for each of `details`, and ends.
    static func fail(_ reason: String, details: [String] = [], _ status: ExitStatus) -> Never {
        let lines = ["hansang: \(printable(reason))"] + details.map { "  \(printable($0))" }
        _ = FileDescriptor.standardError.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        // Not `exit`: a server that fails may have threads at work, which must not see the libraries under them go.
        _exit(status.rawValue)
    }

    /// A reason may quote names out of an input; those are not to break the line or steer the terminal.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
