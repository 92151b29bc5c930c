/// Writes JSON straight into bytes, with no tree in between.
///
/// The caller brings names and values in the right order: within an object each value behind its name, and no name twice. Commas, escaping
/// and numbers are the writer's. It writes without white space, and cannot fail but where the caller's own closures do.
public struct JSONWriter {
    /// What was written so far, UTF-8; a whole text once everything opened has been closed.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: bytes to make room for at first; it grows as needed.
    public init(reserving capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// An object with the members that `body` writes. If `body` throws, the bytes are left half-written.
    @inlinable
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "{"))
        try body(&self)
        close(UInt8(ascii: "}"))
    }

    /// An array of the values that `body` writes. If `body` throws, the bytes are left half-written.
    @inlinable
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        open(UInt8(ascii: "["))
        try body(&self)
        close(UInt8(ascii: "]"))
    }

    /// An array with what `each` writes of each element: one value.
    @inlinable
    public mutating func array<S: Sequence>(_ elements: S, _ each: (inout JSONWriter, S.Element) -> Void) {
        array { writer in for element in elements { each(&writer, element) } }
    }

    /// The name of the value that follows: one that stands in the source and holds nothing to escape.
    public mutating func name(_ name: StaticString) {
        assert(name.withUTF8Buffer { !$0.contains(where: Self.wantsEscape) }, "a name that would have to be escaped")
        separate()
        bytes.append(UInt8(ascii: "\""))
        append(name)
        append("\":")
        needsComma = false
    }

    /// The name of the value that follows, where it is not known before: it is escaped like any text.
    public mutating func name(text name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A text, with escapes only where RFC 8259 §7 demands them.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // Most texts have nothing to escape, and go in at once.
            if utf8.contains(where: Self.wantsEscape) { for byte in utf8 { escape(byte) } } else { bytes.append(contentsOf: utf8) }
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Traps where a wider type holds what `Int64` cannot.
    @inlinable
    public mutating func integer(_ number: some FixedWidthInteger & SignedInteger) { integer(Int64(number)) }

    /// In decimal digits, with no others before them.
    public mutating func integer(_ number: Int64) {
        separate()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
            var start = buffer.count
            var digits = number.magnitude
            repeat {
                start -= 1
                buffer[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digits % 10)
                digits /= 10
            } while digits != 0
            if number < 0 {
                start -= 1
                buffer[start] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: buffer[start...])
        }
        needsComma = true
    }

    /// Members that were written before, commas between them and none around, among those of an open object. They are not looked at.
    public mutating func members(encoded: [UInt8]) {
        guard !encoded.isEmpty else { return }
        separate()
        bytes.append(contentsOf: encoded)
        needsComma = true
    }

    /// Ends a line, behind a whole value.
    public mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    public mutating func bool(_ truth: Bool) { literal(truth ? "true" : "false") }

    public mutating func null() { literal("null") }

    /// A value with all that is in it. A real has to be finite: JSON has no other (RFC 8259 §6).
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let truth): bool(truth)
        case .integer(let number): integer(number)
        case .real(let number):
            separate()
            bytes.append(contentsOf: "\(number)".utf8)
            needsComma = true
        case .string(let text): string(text)
        case .array(let elements): array(elements) { $0.value($1) }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(text: member.name)
                    writer.value(member.value)
                }
            }
        }
    }

    private mutating func literal(_ text: StaticString) {
        separate()
        append(text)
        needsComma = true
    }

    private mutating func append(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func separate() { if needsComma { bytes.append(UInt8(ascii: ",")) } }

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private static func wantsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") }

    /// RFC 8259 §7: what must be escaped, and nothing else.
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(byte)
        case 0..<0x20:
            let hex = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "\\u00".utf8)
            bytes.append(hex[Int(byte >> 4)])
            bytes.append(hex[Int(byte & 15)])
        default: bytes.append(byte)
        }
    }
}

extension JSONWriter {
    /// A member of the object that is open; so are the others.
    public mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        string(text)
    }

    /// `null` for `nil`: the member is there all the same.
    public mutating func member(_ name: StaticString, _ text: String?) {
        self.name(name)
        if let text { string(text) } else { null() }
    }

    @inlinable
    public mutating func member(_ name: StaticString, _ number: some FixedWidthInteger & SignedInteger) { member(name, Int64(number)) }

    public mutating func member(_ name: StaticString, _ number: Int64) {
        self.name(name)
        integer(number)
    }

    /// `null` for `nil`: the member is there all the same.
    public mutating func member(_ name: StaticString, _ number: Int64?) {
        self.name(name)
        if let number { integer(number) } else { null() }
    }

    public mutating func member(_ name: StaticString, _ truth: Bool) {
        self.name(name)
        bool(truth)
    }

    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        self.name(name)
        self.value(value)
    }

    @inlinable
    public mutating func member(_ name: StaticString, object body: (inout JSONWriter) -> Void) {
        self.name(name)
        object(body)
    }

    /// Each element as `each` writes it: one value.
    @inlinable
    public mutating func member<S: Sequence>(_ name: StaticString, array elements: S, _ each: (inout JSONWriter, S.Element) -> Void) {
        self.name(name)
        array(elements, each)
    }
}
