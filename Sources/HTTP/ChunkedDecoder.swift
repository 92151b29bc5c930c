/// The chunked transfer coding (RFC 9112 §7.1), fed with any cut. Extensions and trailers are checked, bounded and dropped: nothing
/// here knows a use for them, and a trailer must not change what the head has said (RFC 9110 §6.5.1).
struct ChunkedDecoder {
    private enum State {
        case sizeStart, size, extensionGap, extensions, sizeEnd
        case data, dataEnd, dataLineEnd
        case trailerStart, trailerName, trailerValue, trailerLineEnd, lastLineEnd
    }

    private var state = State.sizeStart
    private var size: UInt64 = 0
    private var digits = 0
    private var overhead = 0
    private let maximumSize: Int
    private let maximumOverhead: Int

    init(limits: ConnectionLimits) {
        maximumSize = limits.maximumBodySize
        maximumOverhead = limits.maximumChunkOverhead
    }

    /// Appends the content to `body`; true when the last chunk and the trailers are through.
    mutating func decode(_ input: Span<UInt8>, from position: inout Int, into body: inout [UInt8]) throws(RequestError) -> Bool {
        while position < input.count {
            if state == .data {
                // What is left of a chunk fits into an Int: it was compared with the limit.
                let taken = min(Int(size), input.count - position)
                body.append(input, in: position..<position + taken)
                position += taken
                size -= UInt64(taken)
                if size == 0 { state = .dataEnd }
                continue
            }
            let byte = input[position]
            position += 1
            if state == .lastLineEnd {
                guard byte == .lineFeed else { throw .malformed }
                return true
            }
            state = try next(byte, received: body.count)
        }
        return false
    }

    private mutating func next(_ byte: UInt8, received: Int) throws(RequestError) -> State {
        switch state {
        case .sizeStart:
            (size, digits) = (0, 0)
            return try nextOfSize(byte, received: received)
        case .size:
            switch byte {
            case .carriageReturn: return .sizeEnd
            case .semicolon: return .extensions
            case .space, .tab: return .extensionGap
            default: return try nextOfSize(byte, received: received)
            }
        case .extensionGap:
            guard byte.isWhitespace || byte == .semicolon else { throw .malformed }
            return try spend(byte == .semicolon ? .extensions : .extensionGap)
        case .extensions:
            if byte == .carriageReturn { return .sizeEnd }
            return try text(byte, .extensions)
        case .sizeEnd: return try expect(.lineFeed, byte, then: size == 0 ? .trailerStart : .data)
        case .dataEnd: return try expect(.carriageReturn, byte, then: .dataLineEnd)
        case .dataLineEnd: return try expect(.lineFeed, byte, then: .sizeStart)
        case .trailerStart:
            if byte == .carriageReturn { return .lastLineEnd }
            guard byte.isToken else { throw .malformed }
            return try spend(.trailerName)
        case .trailerName:
            guard byte.isToken || byte == .colon else { throw .malformed }
            return try spend(byte == .colon ? .trailerValue : .trailerName)
        case .trailerValue:
            if byte == .carriageReturn { return .trailerLineEnd }
            return try text(byte, .trailerValue)
        case .trailerLineEnd: return try expect(.lineFeed, byte, then: .trailerStart)
        case .data, .lastLineEnd: throw .malformed  // taken by `decode`
        }
    }

    /// At most sixteen digits, so the size cannot overflow; it may not lead beyond the limit either.
    private mutating func nextOfSize(_ byte: UInt8, received: Int) throws(RequestError) -> State {
        guard let value = byte.hexValue, digits < 16 else { throw .malformed }
        digits += 1
        size = size << 4 | UInt64(value)
        guard size <= UInt64(max(0, maximumSize - received)) else { throw .bodyTooLarge }
        return .size
    }

    private mutating func text(_ byte: UInt8, _ next: State) throws(RequestError) -> State {
        guard byte.isText else { throw .malformed }
        return try spend(next)
    }

    private mutating func spend(_ next: State) throws(RequestError) -> State {
        overhead += 1
        guard overhead <= maximumOverhead else { throw .bodyTooLarge }
        return next
    }

    private func expect(_ expected: UInt8, _ byte: UInt8, then next: State) throws(RequestError) -> State {
        guard byte == expected else { throw .malformed }
        return next
    }
}
