/// The candidates that a best slate may need, with what the search counts them by.
///
/// In the order of S8, so the most liked come first. Menus are named by their place in it.
struct Contenders {
    let menus: [Candidate]
    /// The likes of each, by its place.
    let likes: Likes
    /// L of each.
    let weights: [Int32]
    /// N: the weight of everybody (S3).
    let everybody: Int32
    /// By two menus, the weight of the members who like both (P of proof 2).
    private let pairs: [Int32]

    /// - Parameter candidates: more than three, in the order of S8.
    init(_ candidates: [Candidate], _ likes: Likes, outOf everybody: Int) {
        menus = Self.undominated(candidates, likes)
        self.likes = likes.selecting(menus.map(\.row))
        weights = menus.map(\.weight)
        self.everybody = Int32(clamping: everybody)
        pairs = Self.pairs(self.likes, menus.count)
    }

    /// The best slate of all candidates, in its order (S7, S8).
    func best() -> [Candidate] {
        let slate = SlateSearch.best(of: self)
        return [menus[slate.a], menus[slate.b], menus[slate.c]]
    }

    /// Who likes both of two.
    func pair(_ a: Int, _ b: Int) -> Int32 { pairs[a * menus.count + b] }

    /// Leaves out a menu that three others dominate: liked by all who like it, with every wish that it carries, and better (proof 1).
    ///
    /// Only a menu earlier in the order of S8 can dominate: one whose likers are more weighs more, and between equal likes that order
    /// is by (T, lot). So the two inclusions are all there is to see.
    private static func undominated(_ candidates: [Candidate], _ likes: Likes) -> [Candidate] {
        var kept: [Candidate] = []
        for candidate in candidates {
            var dominators = 0
            for better in kept where candidate.wishes.isSubset(of: better.wishes) && likes.isSuperset(better.row, of: candidate.row) {
                dominators += 1
                if dominators == Limits.slate { break }
            }
            if dominators < Limits.slate { kept.append(candidate) }
        }
        return kept
    }

    private static func pairs(_ likes: Likes, _ count: Int) -> [Int32] {
        var pairs = [Int32](repeating: 0, count: count * count)
        for a in 0..<count {
            for b in a..<count {
                let weight = likes.weight(a, b)
                pairs[a * count + b] = weight
                pairs[b * count + a] = weight
            }
        }
        return pairs
    }
}
