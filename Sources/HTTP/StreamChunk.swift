/// A piece of a stream's content, framed once however many streams it goes to: copies share one buffer.
public struct StreamChunk: Sendable {
    /// As `chunked` has it: the size in hexadecimal, the content, each with an end of line (RFC 9112 §7.1).
    public let framed: [UInt8]
    private let range: Range<Int>

    public init(_ content: [UInt8]) {
        var framed: [UInt8] = []
        framed.reserveCapacity(content.count + 12)
        framed.append(hexadecimal: content.count)
        framed.append("\r\n")
        let start = framed.count
        framed.append(contentsOf: content)
        range = start..<framed.count
        framed.append("\r\n")
        self.framed = framed
    }

    public init(_ content: String) { self.init(Array(content.utf8)) }

    /// For HTTP/1.0, which knows no chunks.
    public var content: ArraySlice<UInt8> { framed[range] }

    /// An empty one says nothing, and as a chunk it would end the body.
    public var isEmpty: Bool { range.isEmpty }

    public var count: Int { range.count }

    /// The chunk of size 0, and no trailers behind it.
    static let last: StaticString = "0\r\n\r\n"
}

extension [UInt8] {
    fileprivate mutating func append(hexadecimal number: Int) {
        if number >= 16 { append(hexadecimal: number / 16) }
        let digit = UInt8(truncatingIfNeeded: number % 16)
        append(digit < 10 ? .zero &+ digit : 0x57 &+ digit)
    }
}
