/// A menu of the pool as the choice of a slate sees it.
struct Candidate {
    /// In the catalogue.
    let index: Int
    /// Its row of `Likes`.
    let row: Int
    /// L (S5): the weight of the members who like it.
    let weight: Int32
    let likers: Int
    /// The majority wishes that it carries (S6).
    let wishes: SmallSet
    /// T (S2).
    let total: Int
    /// Its place in the order of lots (S10).
    let lot: Int

    /// The order within a slate (S8).
    static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
        if a.weight != b.weight { return a.weight > b.weight }
        if a.total != b.total { return a.total > b.total }
        return a.lot < b.lot
    }
}

/// The pool as candidates, in the order of S8.
struct Candidates {
    let all: [Candidate]
    let likes: Likes

    init(pool: [Int], likes: Likes, wishes: Wishes, totals: [Int], lots: [Int]) {
        self.likes = likes
        all = pool.enumerated().map { row, menu in
            Candidate(
                index: menu, row: row, weight: likes.weight(row), likers: likes.count(row), wishes: wishes.carried(by: menu),
                total: totals[menu], lot: lots[menu])
        }.sorted(by: Candidate.precedes)
    }

    /// The slate in its order (S7, S8).
    func bestSlate(outOf weight: Int) -> [Candidate] {
        guard all.count > Limits.slate else { return all }
        return Array(all.prefix(3))
    }
}
