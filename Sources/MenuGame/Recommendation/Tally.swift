/// The sums over a room's sheets that grow with every submission, so that a reveal need not start from nothing.
///
/// Keep one for one catalogue. `remove` undoes `add` exactly: a later submission of the same member replaces the earlier entirely (S1).
public struct Tally: Hashable, Sendable {
    /// Sheets counted: n.
    public private(set) var members = 0
    /// Sum of their weights: N (S3).
    public private(set) var weight = 0
    /// By trait, members who want it; weights do not count here (S6, S9).
    public private(set) var supporters: [Int]
    /// By trait, members who do not want it; nor do weights count here.
    public private(set) var opposers: [Int]
    /// By veto, members who gave it.
    public private(set) var vetoes: [Int]
    /// By menu, members whose vetoes exclude it (S4).
    public private(set) var excluders: [Int]
    /// By menu, T of S2: weight × utility, each member's answers sharing 27,720 points.
    public private(set) var totals: [Int]

    /// Nobody's tally.
    public init(for catalogue: Catalogue) {
        supporters = Array(repeating: 0, count: catalogue.traits.count)
        opposers = supporters
        vetoes = Array(repeating: 0, count: catalogue.vetoes.count)
        excluders = Array(repeating: 0, count: catalogue.menus.count)
        totals = excluders
    }

    /// Everybody's tally.
    public init(of ballots: [Ballot], in catalogue: Catalogue) {
        self.init(for: catalogue)
        for ballot in ballots { add(ballot.sheet, weight: ballot.weight, in: catalogue) }
    }

    /// Counts one more member, in O(menus). The weight is within `Limits.weights`.
    public mutating func add(_ sheet: AnswerSheet, weight: Int = 1, in catalogue: Catalogue) {
        count(sheet, times: 1, weight, catalogue)
    }

    /// Takes back what `add` with the same sheet, weight and catalogue counted.
    public mutating func remove(_ sheet: AnswerSheet, weight: Int = 1, in catalogue: Catalogue) {
        count(sheet, times: -1, weight, catalogue)
    }

    /// The same as to remove the former sheet of a member and to add the new one, in one go.
    public mutating func replace(_ former: AnswerSheet, by sheet: AnswerSheet, in catalogue: Catalogue) {
        guard former != sheet else { return }
        let (old, new) = (Taste(former, in: catalogue), Taste(sheet, in: catalogue))
        count(old, times: -1)
        count(new, times: 1)
        if former.vetoes != sheet.vetoes {
            for veto in former.vetoes { vetoes[veto] -= 1 }
            for veto in sheet.vetoes { vetoes[veto] += 1 }
            excluders.combine(catalogue.columns.excluders) { [former = former.vetoes.bits, new = sheet.vetoes.bits] in
                $0 &+ ($1 & new != 0 ? 1 : 0) &- ($1 & former != 0 ? 1 : 0)
            }
        }
        add(old, share: -old.share, catalogue)
        add(new, share: new.share, catalogue)
    }

    // How many members there are is the caller's to bound: a room takes 500, `hansang recommend` whatever its input of 64 MiB holds, some
    // four million. A utility is at most twice the number of answers that share the points, so one member adds at most weight 4 × 2 ×
    // 27,720 = 221,760 to a total, and no number of members that fits into memory makes an Int overflow.
    private mutating func count(_ sheet: AnswerSheet, times: Int, _ weight: Int, _ catalogue: Catalogue) {
        let taste = Taste(sheet, in: catalogue)
        members += times
        self.weight += times * weight
        count(taste, times: times)
        for veto in sheet.vetoes { vetoes[veto] += times }
        if !sheet.vetoes.isEmpty {
            excluders.combine(catalogue.columns.excluders) { [given = sheet.vetoes.bits] in $1 & given != 0 ? $0 &+ times : $0 }
        }
        add(taste, share: times * weight * taste.share, catalogue)
    }

    private mutating func count(_ taste: Taste, times: Int) {
        for trait in taste.wanted { supporters[trait] += times }
        for trait in taste.unwanted { opposers[trait] += times }
    }

    private mutating func add(_ taste: Taste, share: Int, _ catalogue: Catalogue) {
        guard taste.answered > 0 else { return }
        var utilities = [Int8](repeating: 0, count: totals.count)
        taste.utilities(of: catalogue.columns, into: &utilities)
        // A product fits into 32 bits, of which the processor multiplies twice as many at a time.
        totals.combine(utilities) { [share = Int32(truncatingIfNeeded: share)] in $0 &+ Int(Int32($1) &* share) }
    }
}

extension Tally {
    /// The menus that nobody vetoed, ascending; without those to avoid if three remain without them all (S4).
    func pool(avoiding avoided: Set<Int>) -> [Int] {
        let pool = excluders.indices.filter { excluders[$0] == 0 }
        guard !avoided.isEmpty else { return pool }
        let fresh = pool.filter { !avoided.contains($0) }
        return fresh.count >= Limits.slate ? fresh : pool
    }

    /// The vetoes given that excluded a menu.
    func excludingVetoes(in catalogue: Catalogue) -> SmallSet {
        var given = SmallSet()
        for (veto, members) in vetoes.enumerated() where members > 0 { given.insert(veto) }
        return SmallSet(bits: given.bits & catalogue.columns.excluders.reduce(0, |))
    }
}
