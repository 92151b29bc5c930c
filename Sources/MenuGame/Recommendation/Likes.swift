/// Who likes which menus (S5): a row of bits for each menu of the pool, a bit for each member.
///
/// Members of one weight share words of their own, so that a weighted count is a sum of weight × number of bits (proof 3 needs
/// nothing but such counts). Rows go by position in the pool.
struct Likes {
    /// Words a row.
    let width: Int
    /// By word, what a bit of it weighs.
    let weights: [Int32]
    private(set) var words: [UInt64]

    init(_ ballots: [Ballot], over pool: [Int], in catalogue: Catalogue) {
        let byWeight = Dictionary(grouping: ballots, by: \.weight).sorted { $0.key < $1.key }
        let weights = byWeight.flatMap { weight, ballots in
            Array(repeating: Int32(clamping: weight), count: (ballots.count + 63) / 64)
        }
        width = weights.count
        self.weights = weights
        words = Array(repeating: 0, count: pool.count * width)
        var utilities = [Int8](repeating: 0, count: catalogue.menus.count)
        var block = 0
        for (_, ballots) in byWeight {
            for (position, ballot) in ballots.enumerated() {
                Taste(ballot.sheet, in: catalogue).utilities(of: catalogue.columns, into: &utilities)
                mark(utilities, of: pool, bit: 1 << UInt64(position % 64), inWord: block + position / 64)
            }
            block += (ballots.count + 63) / 64
        }
    }

    /// A member likes what is at least half as good as the best of the pool; if nothing is good, what is no worse than the best.
    private mutating func mark(_ utilities: [Int8], of pool: [Int], bit: UInt64, inWord word: Int) {
        var best = Int8.min
        for menu in pool { best = max(best, utilities[menu]) }
        // 2u ≥ b is u ≥ ⌈b / 2⌉; and nothing is above b, so u = b is u ≥ b.
        let enough = best > 0 ? (best + 1) / 2 : best
        for (row, menu) in pool.enumerated() where utilities[menu] >= enough { words[row * width + word] |= bit }
    }

    init(width: Int, weights: [Int32], words: [UInt64]) {
        self.width = width
        self.weights = weights
        self.words = words
    }

    /// These rows alone, in this order.
    func selecting(_ rows: [Int]) -> Likes {
        Likes(width: width, weights: weights, words: rows.flatMap { words[($0 * width)..<(($0 + 1) * width)] })
    }

    /// Members who like the menu, each counted once.
    func count(_ row: Int) -> Int { (0..<width).reduce(0) { $0 + words[row * width + $1].nonzeroBitCount } }

    /// L: the weight of the members who like the menu.
    func weight(_ row: Int) -> Int32 { weight { words[row * width + $0] } }

    /// The weight of the members who like both.
    func weight(_ a: Int, _ b: Int) -> Int32 { weight { words[a * width + $0] & words[b * width + $0] } }

    /// The weight of the members who like all three.
    func weight(_ a: Int, _ b: Int, _ c: Int) -> Int32 {
        weight { words[a * width + $0] & words[b * width + $0] & words[c * width + $0] }
    }

    /// The weight of a set of members given word by word.
    @inline(__always)
    func weight(_ bits: (_ word: Int) -> UInt64) -> Int32 {
        var sum: Int32 = 0
        for word in 0..<width { sum &+= weights[word] &* Int32(truncatingIfNeeded: bits(word).nonzeroBitCount) }
        return sum
    }

    /// Whether everybody who likes `b` likes `a`.
    func isSuperset(_ a: Int, of b: Int) -> Bool {
        (0..<width).allSatisfy { words[b * width + $0] & ~words[a * width + $0] == 0 }
    }
}
