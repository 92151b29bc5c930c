/// What a strict majority asks for (S6), by trait; every member counts once.
struct Wishes {
    /// By trait: the side that more than half of all members ask for, +1 or −1; 0 where there is none.
    private let sides: [Int]
    private let values: [[Int8]]

    init(_ tally: Tally, in catalogue: Catalogue) {
        sides = zip(tally.supporters, tally.opposers).map { supporters, opposers in
            2 * supporters > tally.members ? 1 : 2 * opposers > tally.members ? -1 : 0
        }
        values = catalogue.columns.values
    }

    /// The wishes that a menu carries, by trait.
    func carried(by menu: Int) -> SmallSet {
        var carried = SmallSet()
        for (trait, side) in sides.enumerated() where side * Int(values[trait][menu]) > 0 { carried.insert(trait) }
        return carried
    }
}
