/// How good a slate is (S7): compared from the top, more is better, and lots decide last.
struct Score: Comparable {
    /// Majority wishes that at least one of its menus carries.
    let wishes: Int
    /// Six times the PAV score: 0, 6, 9 or 11 for a member who likes none, one, two or three of it.
    let pav: Int32
    /// The weight of the members who like at least one of it.
    let reach: Int32
    /// The sum of T.
    let total: Int
    /// Places in the order of lots, ascending.
    let lots: (Int, Int, Int)
    let order: Order

    /// Which comes first: (1) and (2) of S7, or the other way round, which is easier to search by (proofs 6 and 7).
    enum Order {
        case wishesFirst, pavFirst
    }

    static func == (a: Score, b: Score) -> Bool { !(a < b) && !(b < a) }

    static func < (a: Score, b: Score) -> Bool {
        if a.order == .wishesFirst, a.wishes != b.wishes { return a.wishes < b.wishes }
        if a.pav != b.pav { return a.pav < b.pav }
        if a.wishes != b.wishes { return a.wishes < b.wishes }
        if a.reach != b.reach { return a.reach < b.reach }
        if a.total != b.total { return a.total < b.total }
        return a.lots > b.lots
    }
}
