/// Every bound of the game in one place. Bounds of the protocol stand in `HTTP.Limits`.
public enum Limits {
    // The rule's own bound: utilities are scaled by lcm(1...12), one more than the traits for the cuisines (S2).
    public static let traits = 11
    public static let cards = 32
    public static let vetoes = SmallSet.capacity
    public static let cuisines = SmallSet.capacity
    public static let menus = 2000
    /// Elements of a list in somebody's answers, and cards answered at a time: more than any catalogue can have.
    public static let listLength = SmallSet.capacity
    /// Faults that are told of one body; who makes more has other things to learn first.
    public static let faultsTold = 100
    /// Menus in a result, and the fewest that a playable catalogue leaves under every combination of vetoes.
    public static let slate = 3
    /// A member's weight in the rule (S3).
    public static let weights = 1...4

    public static let membersPerRoom = 500
    /// Bytes of a device token.
    public static let token = 16...4096
    /// Graphemes of a nickname; and the bytes of its normalised UTF-8, since one grapheme may be built of any number of scalars.
    public static let nicknameGraphemes = 20
    public static let nicknameBytes = 512
    /// Milliseconds from a room's creation to its end.
    public static let roomLifetime: Int64 = 24 * 60 * 60 * 1000
    public static let pinDigits = 6
    /// New PINs get a digit more when more than one in this many of a length is live.
    public static let pinScarcity = 100
    /// PINs drawn, each another, before a creation is refused.
    public static let pinDraws = 64
}
