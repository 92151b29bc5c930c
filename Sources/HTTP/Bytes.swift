// The characters of the grammar, by their ASCII names (RFC 9110 §5.6, RFC 5234 appendix B.1).

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let percent: UInt8 = 0x25
    static let comma: UInt8 = 0x2C
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let questionMark: UInt8 = 0x3F
    static let leftBracket: UInt8 = 0x5B
    static let rightBracket: UInt8 = 0x5D

    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// Optional whitespace: `OWS = *( SP / HTAB )` (RFC 9110 §5.6.3).
    var isWhitespace: Bool { self == .space || self == .tab }

    /// What a line may hold: no control byte but the tab (RFC 9110 §5.5).
    var isText: Bool { self >= 0x20 && self != 0x7F || self == .tab }

    /// `tchar` (RFC 9110 §5.6.2).
    var isToken: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true  // a-z A-Z 0-9
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true  // ! #$%&' * + - . ^_` | ~
        default: false
        }
    }

    /// What a target may hold: visible ASCII; the fragment never travels (RFC 9112 §3.2, RFC 3986 §3.5).
    var isTarget: Bool { self > 0x20 && self < 0x7F && self != 0x23 }

    /// What the name of a host may hold (RFC 3986 §3.2.2). The comma is legal there, but a list of hosts is all it is ever used for.
    var isHost: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true  // a-z A-Z 0-9
        case 0x21, 0x24...0x2B, 0x2D, 0x2E, 0x3B, 0x3D, 0x5F, 0x7E: true  // ! $%&'()*+ - . ; = _ ~
        default: false
        }
    }

    /// The letter in lower case; any other byte as it is.
    public var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }

    /// What it is worth as a hexadecimal digit (`HEXDIG` in either case), 0…15; `nil` where it is none.
    public var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x61...0x66: self &- 0x57
        case 0x41...0x46: self &- 0x37
        default: nil
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends `bytes`, for which there has to be room.
    public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        withUnsafeMutableBufferPointer { buffer, count in
            let end = count + bytes.count
            buffer.extracting(count..<end).baseAddress?.initialize(from: source, count: bytes.count)
            count = end
        }
    }

    mutating func append(_ text: StaticString) { text.withUTF8Buffer { append($0) } }

    /// Appends the decimal digits of a number that is not negative: 19 at most.
    public mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(.zero &+ UInt8(truncatingIfNeeded: number % 10))
    }
}

extension [UInt8] {
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    /// Appends the decimal digits of a number that is not negative.
    mutating func append(decimal number: Int) { append(addingCapacity: 19) { $0.append(decimal: number) } }

    init(_ span: Span<UInt8>, in range: Range<Int>) {
        self = span.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    mutating func append(_ span: Span<UInt8>, in range: Range<Int>) {
        span.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }

    /// Whether the bytes in `range` spell `text`, which is in lower case, in any case.
    func spells(_ text: StaticString, in range: Range<Int>) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for offset in 0..<text.count where self[range.lowerBound &+ offset].asciiLowercased != text[offset] { return false }
            return true
        }
    }

    /// `range` without whitespace at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (lower, upper) = (range.lowerBound, range.upperBound)
        while lower < upper, self[lower].isWhitespace { lower &+= 1 }
        while lower < upper, self[upper &- 1].isWhitespace { upper &-= 1 }
        return lower..<upper
    }
}
