public import MenuGame

/// What is different each time: handed in, never read from the system inside the rules.
public struct Environment: Sendable {
    /// The wall clock.
    public var now: @Sendable () -> Instant
    /// 64 bits from a secure source.
    public var random: @Sendable () -> UInt64

    public init(now: @escaping @Sendable () -> Instant, random: @escaping @Sendable () -> UInt64) {
        self.now = now
        self.random = random
    }

    /// A fresh id that nobody can guess: 20 characters of Crockford's base 32 without its ambiguous letters, 100 bits.
    public func newID() -> String {
        let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
        var id: [UInt8] = []
        for _ in 0..<2 {
            var bits = random()
            for _ in 0..<10 {
                id.append(alphabet[Int(bits & 31)])
                bits >>= 5
            }
        }
        return String(decoding: id, as: UTF8.self)
    }
}

/// The environment's randomness for the standard library's algorithms.
struct EnvironmentRandom: RandomNumberGenerator {
    let environment: Environment

    mutating func next() -> UInt64 { environment.random() }
}
