/// Who somebody is: the keyed hash of their device token, of 256 bits. The token itself is never kept.
///
/// Held in words and not in an array, for a room copies its members whenever one of them changes.
public struct TokenHash: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Bytes of a hash.
    public static let length = 32

    /// The hash in `bytes`; `nil` unless there are 32 of them.
    public init?(bytes: [UInt8]) { self.init(bytes: bytes.span) }

    /// The same of bytes that are nobody's array.
    public init?(bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        words = bytes.withUnsafeBytes { bytes in
            func word(_ index: Int) -> UInt64 { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
            return (word(0), word(1), word(2), word(3))
        }
    }

    /// The 32 bytes again, as a store keeps them.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
    }

    public static func == (a: TokenHash, b: TokenHash) -> Bool { a.words == b.words }

    public func hash(into hasher: inout Hasher) {
        // A keyed hash is spread evenly already.
        hasher.combine(words.0)
    }
}

/// The number of a member within a room, from 1 on in the order of joining; never given out again. Outside it reads `m_1`.
public struct MemberID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: Int

    public init(number: Int) { self.number = number }

    /// The number in `m_1`; `nil` for any other text.
    public init?(_ text: String) {
        guard text.hasPrefix("m_"), let number = Int(text.dropFirst(2)), "m_\(number)" == text else { return nil }
        self.number = number
    }

    /// What it has before its number outside.
    public static var prefix: StaticString { "m_" }

    public var description: String { "\(Self.prefix)\(number)" }

    public static func < (a: MemberID, b: MemberID) -> Bool { a.number < b.number }
}

/// Somebody in a room.
public struct Member: Hashable, Sendable {
    public let id: MemberID
    /// Who they are: nobody else in the room has it.
    public let token: TokenHash
    /// `nil` for a member who gave none.
    public var nickname: Nickname?
    public let joinedAt: Instant
    /// What they answered in the current round; `nil` while they have not, or have taken it back.
    public var submission: Submission?

    public init(id: MemberID, token: TokenHash, nickname: Nickname?, joinedAt: Instant, submission: Submission? = nil) {
        self.id = id
        self.token = token
        self.nickname = nickname
        self.joinedAt = joinedAt
        self.submission = submission
    }
}
