public import MenuGame

/// Everything that is different each time: handed in, never read from the system inside the rules.
public struct Environment: Sendable {
    /// The wall clock.
    public var now: @Sendable () -> Instant
    /// 64 bits from a secure source.
    public var random: @Sendable () -> UInt64
    /// The PINs that new rooms draw from.
    public var pinSpace: PINSpace
    /// Whether the space grows by a digit when it is crowded; off where a test wants to see it full.
    public var pinSpaceGrows: Bool
    /// Milliseconds that a room lives from its creation.
    public var roomLifetime: Int64
    /// Live rooms that one device may have opened.
    public var roomsPerToken: Int
    /// Told of every failure of the store, on the queue where it happened; it must not block.
    public var storeFailed: @Sendable (StoreError) -> Void
    /// Told, on the writer's queue, when something was committed that phones are to be told; it must not block. `nil` where nobody
    /// tells them, no other server either: then nothing is written down for them.
    public var stageReached: (@Sendable () -> Void)?
    /// Told, on any queue, when another server has changed a room, which may be such a thing; it must not block.
    public var neighbourChanged: @Sendable () -> Void = {}
    /// Told of what is worth counting.
    public var measure: @Sendable (Measurement) -> Void = { _ in }

    public init(
        now: @escaping @Sendable () -> Instant, random: @escaping @Sendable () -> UInt64,
        pinSpace: PINSpace = PINSpace(digits: Limits.pinDigits), pinSpaceGrows: Bool = true, roomLifetime: Int64 = Limits.roomLifetime,
        roomsPerToken: Int = Limits.roomsPerToken,
        storeFailed: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.now = now
        self.random = random
        self.pinSpace = pinSpace
        self.pinSpaceGrows = pinSpaceGrows
        self.roomLifetime = roomLifetime
        self.roomsPerToken = roomsPerToken
        self.storeFailed = storeFailed
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
