/// A name that means something only by being the same name: of a menu, trait, card, cuisine, veto, room or member.
///
/// Compared, ordered and hashed as UTF-8 bytes. Swift's `String` compares by canonical equivalence, under which two different ids of a
/// catalogue (one composed, one decomposed Hangul) would be one.
public struct Identifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// As it was given: any text, never normalised.
    public let text: String

    public init(_ text: String) { self.text = text }

    public var description: String { text }

    /// Whether both are the same bytes.
    public static func == (a: Identifier, b: Identifier) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// By bytes, as the rule orders equal lots (S10).
    public static func < (a: Identifier, b: Identifier) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    public func hash(into hasher: inout Hasher) {
        text.utf8.span.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes, where `==` goes by canonical equivalence.
    public func hasSameBytes(as other: String) -> Bool { utf8.span.isSame(as: other.utf8.span) }
}

extension Span<UInt8> {
    /// Whether both are the same bytes.
    func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in indices where self[place] != other[place] { return false }
        return true
    }
}
