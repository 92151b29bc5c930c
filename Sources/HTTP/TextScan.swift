extension Span<UInt8> {
    /// Where the first byte is, from `start` on and before `end`, that a line may not hold (`UInt8.isText`); `end` where there is none.
    ///
    /// Looks at eight bytes at once: of a word, the marks below are of the bytes that are no text, and of tabs. Above the lowest mark there
    /// may be wrong ones, since a difference borrows from the byte above; it itself is right (Hacker's Delight, §6-1).
    func endOfText(from start: Int, to end: Int) -> Int {
        precondition(0 <= start && end <= count)
        var index = start
        while index &+ 8 <= end {
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            let delete = word ^ (0x7F &* Self.ones)
            let marks = ((word &- 0x20 &* Self.ones) & ~word | (delete &- Self.ones) & ~delete) & (0x80 &* Self.ones)
            guard marks != 0 else {
                index &+= 8
                continue
            }
            index &+= marks.trailingZeroBitCount >> 3
            guard self[index] == .tab else { return index }
            index &+= 1
        }
        while index < end, self[index].isText { index &+= 1 }
        return index
    }

    /// Eight bytes of 1: times a byte, they are eight of that.
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
