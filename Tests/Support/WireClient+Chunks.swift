import Synchronization

/// Answers whose body stays open, read as strictly (RFC 9112 §7.1).
extension WireClient {
    /// The next answer, without its body where that stays open.
    public func readStart() throws(WireError) -> WireAnswer {
        try take { unread throws(WireError) in
            guard let (status, fields, end) = try WireClient.head(of: unread) else { return nil }
            let start = WireAnswer(status: status, fields: fields, body: [])
            guard start["Transfer-Encoding"] == "chunked" else { return try WireClient.take(from: &unread, isHead: false) }
            unread.removeFirst(end)
            return start
        }
    }

    /// The next chunk of a body; empty for the last one, behind which there are no trailers.
    public func readChunk() throws(WireError) -> [UInt8] {
        try take { unread throws(WireError) in
            guard let lineEnd = unread.firstIndex(of: 0x0D), unread.count > lineEnd + 1 else { return nil }
            let digits = String(decoding: unread[..<lineEnd], as: UTF8.self)
            guard let size = Int(digits, radix: 16), size >= 0, digits == String(size, radix: 16) else { throw .notHTTP(digits) }
            let start = lineEnd + 2
            guard unread.count >= start + size + 2 else { return nil }
            guard unread[lineEnd + 1] == 0x0A, Array(unread[(start + size)..<(start + size + 2)]) == [0x0D, 0x0A] else {
                throw .notHTTP("a chunk without its end")
            }
            let chunk = Array(unread[start..<start + size])
            unread.removeFirst(start + size + 2)
            return chunk
        }
    }

    /// Receives until `body` finds what it looks for in the bytes that have come, and takes it out of them.
    private func take<Value>(_ body: (inout [UInt8]) throws(WireError) -> Value?) throws(WireError) -> Value {
        try unread.withLock { unread throws(WireError) in
            while true {
                if let value = try body(&unread) { return value }
                guard try receive(into: &unread) else { throw .closed }
            }
        }
    }
}
