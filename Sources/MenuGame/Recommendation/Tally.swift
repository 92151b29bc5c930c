/// The sums over all ballots that the rule asks for.
///
/// Taken at the reveal, which has to go through every ballot and menu for the likes all the same. To keep them up with every submission
/// took 6 % of each, and a reveal of 500 is 4 % longer without.
public struct Tally: Hashable, Sendable {
    /// Ballots counted: n.
    public let members: Int
    /// Sum of their weights: N (S3).
    public private(set) var weight = 0
    /// By trait, members who want it; weights do not count here (S6, S9).
    public private(set) var supporters: [Int]
    /// By trait, members who do not want it; nor do weights count here.
    public private(set) var opposers: [Int]
    /// The vetoes that anybody gave (S4).
    public private(set) var vetoes = SmallSet()
    /// By menu, T of S2: weight × utility, each member's answers sharing 27,720 points.
    public private(set) var totals: [Int]

    /// Counts everybody, in O(ballots × menus).
    public init(of ballots: [Ballot], in catalogue: Catalogue) {
        members = ballots.count
        supporters = Array(repeating: 0, count: catalogue.traits.count)
        opposers = supporters
        totals = Array(repeating: 0, count: catalogue.menus.count)
        var utilities = [Int8](repeating: 0, count: totals.count)
        // How many there are is the caller's to bound: a room takes 500, `hansang recommend` whatever its input of 64 MiB holds, some four
        // million. A utility is at most twice the number of answers that share the points, so one member adds at most weight 4 × 2 × 27,720
        // = 221,760 to a total, and no number of members that fits into memory makes an Int overflow.
        for ballot in ballots {
            let taste = Taste(ballot.sheet, in: catalogue)
            weight += ballot.weight
            for trait in taste.wanted { supporters[trait] += 1 }
            for trait in taste.unwanted { opposers[trait] += 1 }
            vetoes.formUnion(ballot.sheet.vetoes)
            guard taste.answered > 0 else { continue }
            taste.utilities(of: catalogue.columns, into: &utilities)
            // A product fits into 32 bits, of which the processor multiplies twice as many at a time.
            totals.combine(utilities) { [share = Int32(truncatingIfNeeded: ballot.weight * taste.share)] in $0 &+ Int(Int32($1) &* share) }
        }
    }
}

extension Tally {
    /// How many menus somebody vetoed.
    func excludedMenus(in catalogue: Catalogue) -> Int { catalogue.columns.excluders.count { $0 & vetoes.bits != 0 } }

    /// The menus that nobody vetoed, ascending; without those to avoid if three remain without them all (S4).
    func pool(in catalogue: Catalogue, avoiding avoided: Set<Int>) -> [Int] {
        let excluders = catalogue.columns.excluders
        let pool = excluders.indices.filter { excluders[$0] & vetoes.bits == 0 }
        guard !avoided.isEmpty else { return pool }
        let fresh = pool.filter { !avoided.contains($0) }
        return fresh.count >= Limits.slate ? fresh : pool
    }

    /// The vetoes given that excluded a menu.
    func excludingVetoes(in catalogue: Catalogue) -> SmallSet {
        SmallSet(bits: vetoes.bits & catalogue.columns.excluders.reduce(0, |))
    }
}
