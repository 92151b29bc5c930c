/// Header fields in the order they came (RFC 9110 §5.3): one buffer, and where in it each name and value lies.
public struct Fields: Sendable {
    private var bytes: [UInt8]
    private var lines: [Line]

    struct Line: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// No lines.
    public init() { self.init(bytes: [], lines: []) }

    init(bytes: [UInt8], lines: [Line]) {
        self.bytes = bytes
        self.lines = lines
    }

    /// The number of lines.
    public var count: Int { lines.count }

    /// Adds a line; `name` in any case. Neither is checked.
    public mutating func append(name: [UInt8], value: [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: name)
        bytes.append(contentsOf: value)
        lines.append(Line(name: start..<start + name.count, value: start + name.count..<bytes.count))
    }

    /// The value of the first line of that name, `nil` without one. O(lines).
    public subscript(name: FieldName) -> [UInt8]? {
        for line in lines where spells(name, line) { return Array(bytes[line.value]) }
        return nil
    }

    /// The values of all lines of that name, in order: where a name may be a list, they are parts of one list (RFC 9110 §5.3).
    public func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        for line in lines where spells(name, line) { values.append(bytes[line.value]) }
        return values
    }

    /// The value of the only line of that name; `nil` without one, and where there are more.
    public func only(_ name: FieldName) -> ArraySlice<UInt8>? {
        guard let index = lines.firstIndex(where: { spells(name, $0) }),
            !lines[(index + 1)...].contains(where: { spells(name, $0) })
        else { return nil }
        return bytes[lines[index].value]
    }

    /// The value of a field that may be a list, one list from however many lines (RFC 9110 §5.3); `nil` without one.
    public func list(_ name: FieldName) -> [UInt8]? {
        let values = values(of: name)
        return values.count > 1 ? Array(values.joined(separator: [.comma, .space])) : values.first.map(Array.init)
    }

    private func spells(_ name: FieldName, _ line: Line) -> Bool {
        guard name.literal.utf8CodeUnitCount == line.name.count else { return false }
        return bytes.withUnsafeBufferPointer { name.spells(UnsafeBufferPointer(rebasing: $0[line.name])) }
    }
}
