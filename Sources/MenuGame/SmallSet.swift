/// A set of indices 0…63 (of vetoes, cuisines, traits) as the bits of one word.
///
/// A larger index is never in it, and to insert one changes nothing. A negative one traps.
public struct SmallSet: Hashable, Sendable {
    /// Bit i stands for index i, the lowest for 0.
    public var bits: UInt64

    public init(bits: UInt64 = 0) { self.bits = bits }

    /// The set of all indices below `count`, which is 0…64.
    public static func all(below count: Int) -> SmallSet { SmallSet(bits: count >= 64 ? .max : (1 << UInt64(count)) - 1) }

    /// Indices that fit: what bounds the vetoes and cuisines of a catalogue.
    public static let capacity = 64

    public var isEmpty: Bool { bits == 0 }
    public var count: Int { bits.nonzeroBitCount }

    public func contains(_ index: Int) -> Bool { bits & (1 << UInt64(index)) != 0 }
    /// Whether they have an index in common.
    public func meets(_ other: SmallSet) -> Bool { bits & other.bits != 0 }
    public func isSubset(of other: SmallSet) -> Bool { bits & ~other.bits == 0 }
    public mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }
    public mutating func formUnion(_ other: SmallSet) { bits |= other.bits }
    public func union(_ other: SmallSet) -> SmallSet { SmallSet(bits: bits | other.bits) }
}

extension SmallSet: Sequence {
    public var underestimatedCount: Int { count }

    /// The indices, ascending.
    public func makeIterator() -> Iterator { Iterator(rest: bits) }

    public struct Iterator: IteratorProtocol, Sendable {
        var rest: UInt64

        /// The lowest index that has not been given yet.
        public mutating func next() -> Int? {
            guard rest != 0 else { return nil }
            defer { rest &= rest - 1 }
            return rest.trailingZeroBitCount
        }
    }
}
