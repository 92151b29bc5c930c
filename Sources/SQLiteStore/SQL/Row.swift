internal import CSQLite

/// A row of a result, read column by column from the left. Every table is STRICT, so that a column holds what its type says.
struct Row {
    private let statement: OpaquePointer
    private var column: Int32 = 0

    init(_ statement: OpaquePointer) { self.statement = statement }

    mutating func integer() -> Int { Int(sqlite3_column_int64(statement, next())) }

    mutating func integer64() -> Int64 { sqlite3_column_int64(statement, next()) }

    mutating func bool() -> Bool { integer() != 0 }

    mutating func text() -> String {
        let column = next()
        let start = sqlite3_column_text(statement, column)
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A blob, or a text as its bytes.
    mutating func bytes() -> [UInt8] {
        let column = next()
        let start = sqlite3_column_blob(statement, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// The next column by `read`; `nil`, and the column passed over, where it is NULL.
    mutating func optional<Value>(_ read: (inout Row) -> Value) -> Value? {
        if sqlite3_column_type(statement, column) == SQLITE_NULL {
            column += 1
            return nil
        }
        return read(&self)
    }

    private mutating func next() -> Int32 {
        defer { column += 1 }
        return column
    }
}
