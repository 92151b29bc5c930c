internal import CSQLite
internal import Glibc
internal import UseCases

extension StoreError {
    /// The last failure of a connection. SQLite's words name tables, columns and constraints, and no values.
    init(sqlite connection: OpaquePointer?) {
        let text = sqlite3_errmsg(connection).map { String(cString: $0) } ?? "out of memory"
        self.init("database: \(text) (SQLite \(sqlite3_extended_errcode(connection)))")
    }

    /// The last failure of a call of the operating system.
    init(errno code: Int32, _ detail: String) {
        let text = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init("\(detail): \(text)")
    }
}
