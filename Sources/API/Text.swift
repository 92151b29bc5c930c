import HTTP

extension String {
    /// Text that is put together of pieces, for what every request needs: interpolation takes several times as long.
    ///
    /// - Parameter capacity: at least as many bytes as `write` writes.
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
    mutating func append(_ text: String) { text.utf8.span.withUnsafeBufferPointer { append($0) } }
}
