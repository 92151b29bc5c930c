internal import CPostgres
internal import UseCases

/// Why the server did not do a statement.
struct PostgresError {
    /// Five characters (PostgreSQL manual, appendix A).
    let code: String
    /// Whether the server ends the connection with it.
    let isFatal: Bool
    private let message: String

    init(_ result: OpaquePointer) {
        code = Self.field("C", of: result) ?? "?????"
        // Neither the detail nor the context, for those quote rows.
        isFatal = ["FATAL", "PANIC"].contains(Self.field("V", of: result))
        message = Self.field("M", of: result) ?? "refused"
    }

    var isUniqueViolation: Bool { code == "23505" }
    var isDivisionByZero: Bool { code == "22012" }
    /// Another transaction was in the way: not serializable, or a deadlock.
    var isClash: Bool { code == "40001" || code == "40P01" }
    /// Somebody else had locked what it is about for longer than `lock_timeout`.
    var isLockTimeout: Bool { code == "55P03" }
    /// The server has become one that only reads.
    var isReadOnly: Bool { code == "25006" }

    var error: StoreError { StoreError("PostgreSQL: \(detail)") }

    /// What is said of data that cannot be understood (class 22) quotes it, and is left out.
    var detail: String { "\(code.hasPrefix("22") ? "a value was refused" : message) (\(code))" }

    private static func field(_ letter: Character, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, Int32(letter.asciiValue ?? 0)).map { String(cString: $0) }
    }
}
