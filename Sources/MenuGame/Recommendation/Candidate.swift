/// A menu of the pool as the choice of a slate sees it.
struct Candidate {
    /// In the catalogue.
    let index: Int
    /// Its row of the pool's `Likes`.
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
