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
        try bind(sql.parts[...], from: 1, on: connection) { () throws(StoreError) in
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
    }

    /// Binds the values among `parts`, then calls `body`. SQLite is not given copies of texts but where they lie, which holds within
    /// `withUnsafeBytes` alone: what comes after one is bound in there, too.
    private func bind(
        _ parts: ArraySlice<SQL.Part>, from first: Int32, on connection: OpaquePointer, then body: () throws(StoreError) -> Void
    ) throws(StoreError) {
        var index = first
        for place in parts.indices {
            guard case .value(let value) = parts[place] else { continue }
            func rest(_ code: Int32) throws(StoreError) {
                guard code == SQLITE_OK else { throw StoreError(sqlite: connection) }
                try bind(parts[(place + 1)...], from: index + 1, on: connection, then: body)
            }
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(handle, index)
            case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
            case .text(let text):
                return try text.utf8.span.withUnsafeBytes { bytes throws(StoreError) in try rest(bind(text: bytes, at: index)) }
            case .utf8(let bytes):
                return try bytes.span.withUnsafeBytes { bytes throws(StoreError) in try rest(bind(text: bytes, at: index)) }
            case .blob(let bytes):
                return try bytes.span.withUnsafeBytes { bytes throws(StoreError) in try rest(bind(blob: bytes, at: index)) }
            }
            guard code == SQLITE_OK else { throw StoreError(sqlite: connection) }
            index += 1
        }
        try body()
    }

    // What is empty may have no address, and none would bind NULL.

    private func bind(text bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        bytes.isEmpty
            ? sqlite3_bind_text(handle, index, "", 0, Self.copied)
            : sqlite3_bind_text(handle, index, bytes.assumingMemoryBound(to: CChar.self).baseAddress, Int32(bytes.count), nil)
    }

    private func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        bytes.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0) : sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
    }

    /// SQLITE_TRANSIENT: the C macro, -1 as a function, does not come over.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
