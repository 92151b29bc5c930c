/// Every bound of the game in one place. Bounds of the API stand in `API.APIBounds`, those of the protocol in `HTTP.ConnectionLimits`.
public enum Limits {
    /// The rule's own bound: utilities are scaled by lcm(1...12), one more than the traits for the cuisines (S2).
    public static let traits = 11
    /// Of one catalogue, as the bounds around it.
    public static let cards = 32
    /// Vetoes and cuisines are bits of one word.
    public static let vetoes = SmallSet.capacity
    public static let cuisines = SmallSet.capacity
    /// Bounds the time of a reveal, which is at worst cubic in it.
    public static let menus = 2000
    /// Elements of a list in somebody's answers, and cards answered at a time: as many as any catalogue can have.
    public static let listLength = SmallSet.capacity
    /// Menus in a result, and the fewest that a playable catalogue leaves under every combination of vetoes.
    public static let slate = 3
    /// A member's weight in the rule (S3).
    public static let weights = 1...4

    /// Whoever comes when so many are in is refused (`Refusal.roomFull`).
    public static let membersPerRoom = 500
    /// Removed members that a room remembers; then it lets its host remove no more.
    public static let removedPerRoom = 5000
    /// Each keeps its result for as long as the room lives.
    public static let roundsPerRoom = 100
    public static let rounds = 1...roundsPerRoom
    /// Sequences, and numbers of members and submissions: whole numbers that every client can hold (RFC 8259 section 6 names 2^53). One
    /// that is no room's own doing, as after a restore, is far below.
    public static let numbers = 1...1 << 53
    /// Milliseconds since 1970, by the same measure.
    public static let instants: ClosedRange<Int64> = 0...1 << 53
    /// Live rooms that one device may have opened.
    public static let roomsPerToken = 20
    /// Graphemes of a nickname.
    public static let nicknameGraphemes = 20
    /// Bytes of its normalised UTF-8, since one grapheme may be built of any number of scalars.
    public static let nicknameBytes = 1024
    /// Milliseconds from a room's creation to its end.
    public static let roomLifetime: Int64 = 24 * 60 * 60 * 1000
    /// Digits of a PIN while few are live; three more at most.
    public static let pinDigits = 6
    /// New PINs get a digit more when more than one in this many of a length is live.
    public static let pinScarcity = 100
    /// PINs drawn before a creation is refused.
    public static let pinDraws = 64
}
