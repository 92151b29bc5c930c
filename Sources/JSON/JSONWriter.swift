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

    /// The name of the value that follows: one that stands in the source and has nothing to escape.
    public mutating func name(_ name: StaticString) {
        name.withUTF8Buffer { utf8 in
            assert(!utf8.contains(where: Self.wantsEscape), "a name that would have to be escaped")
            add(atMost: utf8.count + 3) { output in
                output.append(UInt8(ascii: "\""))
                output.append(utf8)
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
            }
        }
        needsComma = false
    }

    /// The name of the value that follows, where the source does not know it: escaped like any text.
    public mutating func name(text name: String) {
        add(name, thenColon: true)
        needsComma = false
    }

    /// A text, with escapes only where RFC 8259 §7 demands them.
    public mutating func string(_ text: String) { add(text, thenColon: false) }

    private mutating func add(_ text: String, thenColon: Bool) {
        var text = text
        text.withUTF8 { utf8 in
            // Most texts have nothing to escape, and go in at once.
            let isPlain = !utf8.contains(where: Self.wantsEscape)
            add(atMost: 3 + (isPlain ? utf8.count : 6 * utf8.count)) { output in
                output.append(UInt8(ascii: "\""))
                if isPlain { output.append(utf8) } else { for byte in utf8 { output.append(escaping: byte) } }
                output.append(UInt8(ascii: "\""))
                if thenColon { output.append(UInt8(ascii: ":")) }
            }
        }
    }

    /// Traps where a wider type holds what `Int64` cannot.
    @inlinable
    public mutating func integer(_ number: some FixedWidthInteger & SignedInteger) { integer(Int64(number)) }

    /// In decimal digits, with no others before them.
    public mutating func integer(_ number: Int64) {
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
            add(UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// Members that were written before, commas between them and none around, among those of an open object. They are not looked at.
    public mutating func members(encoded: [UInt8]) {
        guard !encoded.isEmpty else { return }
        encoded.withUnsafeBufferPointer { add($0) }
    }

    /// Ends a line, behind a whole value.
    public mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    public mutating func bool(_ truth: Bool) { (truth ? "true" as StaticString : "false").withUTF8Buffer { add($0) } }

    public mutating func null() { ("null" as StaticString).withUTF8Buffer { add($0) } }

    /// A value with all that is in it. A real has to be finite: JSON has no other (RFC 8259 §6).
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let truth): bool(truth)
        case .integer(let number): integer(number)
        case .real(let number):
            var digits = "\(number)"
            digits.withUTF8 { add($0) }
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

    @usableFromInline
    mutating func open(_ bracket: UInt8) {
        add(atMost: 1) { $0.append(bracket) }
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    /// A value, or something else that stands where one may, as it is.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) { add(atMost: text.count) { $0.append(text) } }

    /// What `body` writes, behind a comma where one is due. There is looked for room once, and not for every byte.
    @inline(__always)
    private mutating func add(atMost count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        let needsComma = needsComma
        bytes.append(addingCapacity: count + 1) { output in
            if needsComma { output.append(UInt8(ascii: ",")) }
            body(&output)
        }
        self.needsComma = true
    }

    fileprivate static func wantsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}

extension OutputSpan<UInt8> {
    @inline(__always)
    fileprivate mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { buffer, count in count = buffer[count...].initialize(fromContentsOf: bytes) }
    }

    /// RFC 8259 §7: what must be escaped, and nothing else. Six bytes at most.
    fileprivate mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            append(UInt8(ascii: "\\"))
            append(byte)
        case 0..<0x20:
            for character in "\\u00".utf8 { append(character) }
            for digit in [byte >> 4, byte & 15] { append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10) }
        default: append(byte)
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
