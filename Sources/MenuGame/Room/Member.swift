/// Who somebody is: the keyed hash of their device token. The token itself is never kept.
public struct TokenHash: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// The number of a member within a room, in the order of joining; never given out again.
public struct MemberID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: Int

    public init(number: Int) { self.number = number }

    public var description: String { "m_\(number)" }

    public static func < (a: MemberID, b: MemberID) -> Bool { a.number < b.number }
}

/// Somebody in a room.
public struct Member: Hashable, Sendable {
    public let id: MemberID
    public let token: TokenHash
    public var nickname: Nickname?
    public let joinedAt: Instant
    /// What they answered in the current round.
    public var submission: Submission?

    public init(id: MemberID, token: TokenHash, nickname: Nickname?, joinedAt: Instant, submission: Submission? = nil) {
        self.id = id
        self.token = token
        self.nickname = nickname
        self.joinedAt = joinedAt
        self.submission = submission
    }
}
