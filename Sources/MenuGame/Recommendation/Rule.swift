extension Recommendation {
    /// What the rule recommends to the members who cast these ballots. One ballot a member; neither their order nor that of the
    /// catalogue's menus matters.
    ///
    /// Takes O(ballots × menus) for the sums and the likes, then the search for a slate: milliseconds for 500 ballots and 300 menus, cubic
    /// in the menus of the pool at worst. How many ballots there are is the caller's to bound; weighted counts are of 32 bits, exact up to
    /// 29 million of them.
    ///
    /// - Parameters:
    ///   - seed: decides between equals (S10): the room's id, or for solo a fresh random text that the answer states.
    ///   - avoided: menus to leave out while three others remain (S4); what the catalogue does not have is ignored.
    public init(of ballots: [Ballot], in catalogue: Catalogue, seed: String, avoiding avoided: Set<Identifier> = []) {
        let tally = Tally(of: ballots, in: catalogue)
        let pool = tally.pool(in: catalogue, avoiding: Set(avoided.compactMap { catalogue.menuIndex($0) }))
        let likes = Likes(ballots, over: pool, in: catalogue)
        let wishes = Wishes(tally, in: catalogue)
        let lots = Lots.places(of: catalogue.menus, seed: seed)
        let candidates = pool.enumerated().map { row, menu in
            Candidate(
                index: menu, row: row, weight: likes.weight(row), likers: likes.count(row), wishes: wishes.carried(by: menu),
                total: tally.totals[menu], lot: lots[menu])
        }.sorted(by: Candidate.precedes)
        let slate = candidates.count <= Limits.slate ? candidates : Contenders(candidates, likes, outOf: tally.weight).best()

        var keywords = Keywords(tally, in: catalogue)
        self.init(
            playerCount: tally.members,
            menus: slate.enumerated().map { rank, menu in
                let later = slate[(rank + 1)...].reduce(into: SmallSet()) { $0.formUnion($1.wishes) }
                return Pick(
                    menu: menu.index, likedBy: menu.likers, keywords: keywords.next(menu.index, carrying: menu.wishes, later: later))
            },
            excludedMenus: tally.excludedMenus(in: catalogue),
            excludingVetoes: tally.excludingVetoes(in: catalogue))
    }
}
