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
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes, where `==` goes by canonical equivalence.
    public func hasSameBytes(as other: String) -> Bool { utf8.count == other.utf8.count && isEqualByteForByte(to: other) }

    /// Where both are as long.
    private func isEqualByteForByte(to other: String) -> Bool {
        var (a, b) = (self, other)
        return a.withUTF8 { a in
            b.withUTF8 { b in
                for index in a.indices where a[index] != b[index] { return false }
                return true
            }
        }
    }
}
