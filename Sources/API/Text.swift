extension String {
    /// Text that is put together of pieces, for what every request needs: interpolation takes several times as long.
    ///
    /// - Parameters:
    ///   - capacity: at least as many bytes as `write` writes.
    init(atMost capacity: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        self = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { buffer in
            var output = OutputSpan(buffer: buffer, initializedCount: 0)
            write(&output)
            let count = output.finalize(for: buffer)
            return String(decoding: UnsafeBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}

extension OutputSpan<UInt8> {
    mutating func append(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { text in
            withUnsafeMutableBufferPointer { buffer, count in count = buffer[count...].initialize(fromContentsOf: text) }
        }
    }

    /// Appends the decimal digits of a number that is not negative: 19 at most.
    mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
