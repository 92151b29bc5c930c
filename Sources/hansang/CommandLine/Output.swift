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

    /// Says on standard error why it ends, and ends.
    static func fail(_ reason: String, _ status: ExitStatus) -> Never {
        _ = FileDescriptor.standardError.write(Array("hansang: \(printable(reason))\n".utf8))
        exit(status.rawValue)
    }

    /// A reason may quote names out of an input; those are not to steer the terminal.
    private static func printable(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control && scalar != "\n" ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
