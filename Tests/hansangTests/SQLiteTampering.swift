import CSQLite

/// Changes to a database that no server would make.
enum SQLiteTampering {
    struct Failure: Error {
        let code: Int32
    }

    static func run(_ statement: String, on path: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        for code in [sqlite3_open(path, &handle), sqlite3_exec(handle, statement, nil, nil, nil)] where code != SQLITE_OK {
            throw Failure(code: code)
        }
    }
}
