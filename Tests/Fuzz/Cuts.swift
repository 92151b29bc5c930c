import HTTP

extension ConnectionLimits {
    /// So small that a short input meets every one of them.
    static var narrow: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.maximumHeadSize = 96
        limits.maximumFieldCount = 3
        limits.maximumBodySize = 16
        limits.maximumChunkOverhead = 12
        return limits
    }
}

/// Places to cut that depend on the input alone, so that a crash can be repeated (xorshift64* from an FNV-1a hash).
struct Cuts {
    private var state: UInt64

    init(of input: [UInt8]) { state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1 }

    /// Below `bound`, which is not 0.
    mutating func number(below bound: UInt64) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33 % bound)
    }

    mutating func pieces(_ input: [UInt8], about size: UInt64) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < input.count {
            let end = min(input.count, start + 1 + number(below: 2 * size))
            pieces.append(Array(input[start..<end]))
            start = end
        }
        return pieces
    }
}
