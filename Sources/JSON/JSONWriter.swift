/// Writes JSON straight into bytes, with no tree in between.
///
/// The caller brings names and values in the right order: within an object each value behind its name, and no name twice. Commas, escaping
/// and numbers are the writer's. It writes without white space, and cannot fail but where the caller's own closures do.
public struct JSONWriter: ~Copyable {
    private var buffer: ByteBuffer
    private var needsComma = false

    /// - Parameter capacity: bytes to make room for at first; it grows as needed.
    public init(reserving capacity: Int = 1024) { buffer = ByteBuffer(capacity: capacity) }

    private init(_ buffer: consuming ByteBuffer) { self.buffer = buffer }

    /// What `write` writes, UTF-8. Where it is no more than the capacity, it is written where it stays.
    ///
    /// - Parameter capacity: bytes that the array has room for; it grows as needed.
    public static func bytes(reserving capacity: Int = 1000, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var (bytes, larger): ([UInt8], [UInt8]?) = ([], nil)
        bytes.append(addingCapacity: max(1, capacity)) { output in
            output.withUnsafeMutableBufferPointer { memory, count in
                var writer = JSONWriter(ByteBuffer(lent: memory))
                write(&writer)
                if writer.buffer.isLent { count = writer.buffer.count } else { larger = writer.bytes }
            }
        }
        return larger ?? bytes
    }

    /// A copy of what was written so far, UTF-8; a whole text once everything opened has been closed.
    public var bytes: [UInt8] { buffer.bytes }

    /// The same without a copy.
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result { buffer.withBytes(body) }

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
        quote(name, thenColon: true)
        needsComma = false
    }

    /// The name of the value that follows, where the source does not know it: escaped like any text.
    public mutating func name(text name: String) {
        quote(name, thenColon: true)
        needsComma = false
    }

    /// A text that stands in the source and has nothing to escape.
    public mutating func word(_ word: StaticString) { quote(word, thenColon: false) }

    /// A text that is a number behind a prefix, which stands in the source and has nothing to escape.
    public mutating func string(_ prefix: StaticString, then number: Int) {
        begin(atMost: prefix.utf8CodeUnitCount + ByteBuffer.longestNumber + 2)
        buffer.put(UInt8(ascii: "\""))
        buffer.put(prefix)
        buffer.put(decimal: Int64(number))
        buffer.put(UInt8(ascii: "\""))
    }

    /// A text, with escapes only where RFC 8259 §7 demands them.
    public mutating func string(_ text: String) { quote(text, thenColon: false) }

    /// Traps where a wider type holds what `Int64` cannot.
    @inlinable
    public mutating func integer(_ number: some FixedWidthInteger & SignedInteger) { integer(Int64(number)) }

    /// In decimal digits, with no others before them.
    public mutating func integer(_ number: Int64) {
        begin(atMost: ByteBuffer.longestNumber)
        buffer.put(decimal: number)
    }

    /// Members that were written before, commas between them and none around, among those of an open object. They are not looked at.
    public mutating func members(encoded: [UInt8]) {
        guard !encoded.isEmpty else { return }
        encoded.withUnsafeBufferPointer { add($0) }
    }

    /// Ends a line, behind a whole value.
    public mutating func newline() {
        buffer.makeRoom(for: 1)
        buffer.put(UInt8(ascii: "\n"))
        needsComma = false
    }

    public mutating func bool(_ truth: Bool) { add(truth ? "true" : "false") }

    public mutating func null() { add("null") }

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
        begin(atMost: 1)
        buffer.put(bracket)
        needsComma = false
    }

    @usableFromInline
    mutating func close(_ bracket: UInt8) {
        buffer.makeRoom(for: 1)
        buffer.put(bracket)
        needsComma = true
    }

    /// A value, or something else that stands where one may, as it is.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        begin(atMost: text.count)
        buffer.put(text)
    }

    private mutating func add(_ text: StaticString) {
        begin(atMost: text.utf8CodeUnitCount)
        buffer.put(text)
    }

    /// A comma where one is due, and behind it room for so many bytes.
    @inline(__always)
    private mutating func begin(atMost count: Int) {
        buffer.makeRoom(for: count + 1)
        if needsComma { buffer.put(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func quote(_ text: StaticString, thenColon: Bool) {
        assert(text.withUTF8Buffer { !$0.contains(where: Self.wantsEscape) }, "a text that would have to be escaped")
        begin(atMost: text.utf8CodeUnitCount + 3)
        buffer.put(quoted: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), thenColon: thenColon)
    }

    private mutating func quote(_ text: String, thenColon: Bool) {
        text.utf8.span.withUnsafeBufferPointer { utf8 in
            // Most texts have nothing to escape, and go in at once.
            guard utf8.contains(where: Self.wantsEscape) else {
                begin(atMost: utf8.count + 3)
                return buffer.put(quoted: utf8, thenColon: thenColon)
            }
            begin(atMost: 6 * utf8.count + 3)
            buffer.put(UInt8(ascii: "\""))
            for byte in utf8 { if Self.wantsEscape(byte) { escape(byte) } else { buffer.put(byte) } }
            buffer.put(UInt8(ascii: "\""))
            if thenColon { buffer.put(UInt8(ascii: ":")) }
        }
    }

    /// RFC 8259 §7: what must be escaped, and nothing else. Six bytes at most.
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            buffer.put(UInt8(ascii: "\\"))
            buffer.put(byte)
        default:
            buffer.put("\\u00" as StaticString)
            for digit in [byte >> 4, byte & 15] { buffer.put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10) }
        }
    }

    private static func wantsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
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
