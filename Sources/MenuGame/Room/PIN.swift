/// What people read out to one another to find a room: digits, zeros kept. A look-up key, not an identity.
public struct PIN: Hashable, Sendable, CustomStringConvertible {
    /// The digits behind a 1, read as a number, so that zeros in front count: compared and hashed many times a request.
    private let code: UInt32

    /// The PIN in `text`; `nil` unless it is six to nine ASCII digits.
    public init?(_ text: String) {
        guard Self.lengths.contains(text.utf8.count) else { return nil }
        var code: UInt32 = 1
        for digit in text.utf8 {
            guard (0x30...0x39).contains(digit) else { return nil }
            code = code * 10 + UInt32(digit - 0x30)
        }
        self.code = code
    }

    /// - Parameters:
    ///   - number: of at most as many digits.
    ///   - digits: 6…9.
    init(number: Int, digits: Int) { code = Self.one(before: digits) + UInt32(number) }

    /// ASCII digits. Two PINs of different lengths are two PINs, whatever number they spell.
    public var text: String { String(String(code).dropFirst()) }

    /// How many digits, 6…9.
    public var digits: Int { text.utf8.count }

    /// What it is when it is read as a number: of zeros in front nothing is left.
    public var number: Int { Int(code - Self.one(before: digits)) }

    /// A 1 and so many zeros.
    private static func one(before digits: Int) -> UInt32 { (0..<digits).reduce(1) { power, _ in power * 10 } }

    public var description: String { text }

    static let lengths = Limits.pinDigits...(Limits.pinDigits + 3)
}

/// The PINs among which a new one is drawn.
public struct PINSpace: Hashable, Sendable {
    /// Of each of its PINs, 6…9.
    public let digits: Int
    /// How many PINs there are in it: the numbers below, with zeros before them.
    public let count: Int

    /// All PINs of that many digits, as few as six and as many as nine.
    public init(digits: Int) {
        self.digits = min(max(digits, PIN.lengths.lowerBound), PIN.lengths.upperBound)
        count = (0..<self.digits).reduce(1) { product, _ in product * 10 }
    }

    /// The first `count` of the PINs of six digits, 1…1,000,000; fewer count as one, more as all. A space that can run out.
    public init(first count: Int) {
        digits = Limits.pinDigits
        self.count = min(max(1, count), PINSpace(digits: digits).count)
    }

    /// Whether so many live ones make it too easy to guess one: more than one in `Limits.pinScarcity`.
    public func isCrowded(by live: Int) -> Bool { live > count / Limits.pinScarcity }

    /// The space with one digit more; `nil` where there is none.
    public var next: PINSpace? { digits < PIN.lengths.upperBound ? PINSpace(digits: digits + 1) : nil }

    /// Candidates in random order: all of a small space, so that its last free PIN is found, else `Limits.pinDraws` of them.
    ///
    /// - Parameter asNumbers: only those that are still the same when they are read as numbers: none with a zero in front.
    public func draw(asNumbers: Bool = false, using random: inout some RandomNumberGenerator) -> [PIN] {
        let first = asNumbers ? (1..<digits).reduce(1) { product, _ in product * 10 } : 0
        guard first < count else { return [] }
        let numbers =
            count - first <= Limits.pinDraws
            ? Array(first..<count).shuffled(using: &random)
            : (0..<Limits.pinDraws).map { _ in Int.random(in: first..<count, using: &random) }
        return numbers.map { PIN(number: $0, digits: digits) }
    }
}
