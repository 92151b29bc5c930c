internal import CSQLite
internal import UseCases

/// A prepared statement, finalized with the value that owns it. Belongs to one connection and is used only where that is.
final class Statement {
    private let handle: OpaquePointer

    init(_ text: String, on connection: OpaquePointer) throws(StoreError) {
        var handle: OpaquePointer?
        // The statement is kept for as long as its connection.
        let code = sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw StoreError(sqlite: connection) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs it to its end, for a statement is only done with its work then, and hands on each row.
    func run(_ sql: SQL, on connection: OpaquePointer, _ row: (inout Row) throws(StoreError) -> Void) throws(StoreError) {
        defer {
            sqlite3_reset(handle)
            // So that nobody's answers stay in memory for longer than they are used.
            sqlite3_clear_bindings(handle)
        }
        var index: Int32 = 0
        for case .value(let value) in sql.parts {
            index += 1
            guard bind(value, at: index) == SQLITE_OK else { throw StoreError(sqlite: connection) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                var current = Row(handle)
                try row(&current)
            case SQLITE_DONE: return
            default: throw StoreError(sqlite: connection)
            }
        }
    }

    private func bind(_ value: SQL.Value, at index: Int32) -> Int32 {
        // SQLite copies what it is given: the C macro for that, -1 as a function, does not come over.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    // An empty text has no address, and none would bind NULL.
                    $0.isEmpty
                        ? sqlite3_bind_text(handle, index, "", 0, transient)
                        : sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), transient)
                }
            }
        case .utf8(let bytes):
            return bytes.withUnsafeBytes {
                sqlite3_bind_text(handle, index, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), transient)
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                $0.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), transient)
            }
        }
    }
}
