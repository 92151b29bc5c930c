internal import CPostgres

/// What a statement gave back.
final class Rows {
    private let result: OpaquePointer

    /// Takes over a result, which is cleared with this.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    /// How many rows it changed, or gave back.
    var affected: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// What was done, in the server's words: "COMMIT", "UPDATE 1".
    var tag: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    func all<Value, Failure: Error>(_ read: (inout Row) throws(Failure) -> Value) throws(Failure) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for number in 0..<PQntuples(result) {
            var row = Row(result, number)
            values.append(try read(&row))
        }
        return values
    }

    func first<Value, Failure: Error>(_ read: (inout Row) throws(Failure) -> Value) throws(Failure) -> Value? {
        guard count > 0 else { return nil }
        var row = Row(result, 0)
        return try read(&row)
    }
}

extension Sequence<Rows> {
    /// What several statements gave back, in their order.
    func all<Value, Failure: Error>(_ read: (inout Row) throws(Failure) -> Value) throws(Failure) -> [Value] {
        var values: [Value] = []
        for rows in self { values += try rows.all(read) }
        return values
    }
}

/// A row of a result, read column by column from the left, in PostgreSQL's binary format. A column holds what its type says.
struct Row {
    private let result: OpaquePointer
    private let number: Int32
    private var column: Int32 = 0

    fileprivate init(_ result: OpaquePointer, _ number: Int32) { (self.result, self.number) = (result, number) }

    mutating func integer() -> Int { Int(integer64()) }

    mutating func integer64() -> Int64 { Int64(bitPattern: withBytes { $0.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }) }

    mutating func bool() -> Bool { withBytes { $0.first ?? 0 } != 0 }

    mutating func text() -> String { withBytes { String(decoding: $0, as: UTF8.self) } }

    /// A blob, or a text as its bytes.
    mutating func bytes() -> [UInt8] { withBytes { Array($0) } }

    /// The next column by `read`; `nil`, and the column passed over, where it is NULL.
    mutating func optional<Value>(_ read: (inout Row) -> Value) -> Value? {
        if PQgetisnull(result, number, column) != 0 {
            column += 1
            return nil
        }
        return read(&self)
    }

    private mutating func withBytes<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value {
        defer { column += 1 }
        let start = PQgetvalue(result, number, column)
        return read(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(PQgetlength(result, number, column))))
    }
}
