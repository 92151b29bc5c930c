/// Chooses the words under each menu of a slate (S9): what its members asked for, and across the slate as many majority wishes as fit.
struct Keywords {
    static let perMenu = 3

    let tally: Tally
    let values: [[Int8]]
    /// The wishes that menus have already shown.
    private var shown = SmallSet()

    init(_ tally: Tally, in catalogue: Catalogue) {
        self.tally = tally
        values = catalogue.columns.values
    }

    /// The keywords of the next menu of the slate.
    ///
    /// - Parameters:
    ///   - carried: the majority wishes that it carries.
    ///   - later: the majority wishes that lower-ranked menus carry.
    mutating func next(_ menu: Int, carrying carried: SmallSet, later: SmallSet) -> [Recommendation.Keyword] {
        let candidates = values.indices.compactMap { candidate($0, menu) }
        let chosen = candidates.sorted { a, b in
            let (levelA, levelB) = (level(a, carried, later), level(b, carried, later))
            return levelA == levelB ? Self.precedes(a, b) : levelA < levelB
        }.prefix(Self.perMenu)
        for keyword in chosen where carried.contains(keyword.trait) { shown.insert(keyword.trait) }
        return chosen.sorted(by: Self.precedes)
    }

    private func candidate(_ trait: Int, _ menu: Int) -> Recommendation.Keyword? {
        let (yes, no) = (tally.supporters[trait], tally.opposers[trait])
        switch values[trait][menu] {
        case 1... where yes > no: return .init(trait: trait, side: .has, supporters: yes, opposers: no)
        case ..<0 where no > yes: return .init(trait: trait, side: .lacks, supporters: no, opposers: yes)
        default: return nil
        }
    }

    /// 0: a wish that this menu alone can still show; 1: one that a later menu carries too; 2: the rest.
    private func level(_ keyword: Recommendation.Keyword, _ carried: SmallSet, _ later: SmallSet) -> Int {
        guard carried.contains(keyword.trait), !shown.contains(keyword.trait) else { return 2 }
        return later.contains(keyword.trait) ? 1 : 0
    }

    private static func precedes(_ a: Recommendation.Keyword, _ b: Recommendation.Keyword) -> Bool {
        if a.supporters != b.supporters { return a.supporters > b.supporters }
        if a.opposers != b.opposers { return a.opposers < b.opposers }
        if a.side != b.side { return a.side == .has }
        return a.trait < b.trait
    }
}
