import Testing

@testable import MenuGame

/// Answers to a few traits hardly make the likes on which fairness and ties hang, so here likes, wishes and T are any at all.
@Suite("The search for a slate")
struct SlateSearchTests {
    @Test("finds what trying every slate finds", arguments: 0..<4 as Range<UInt64>) func best(seed: UInt64) {
        var random = Generator(seed: seed)
        for _ in 0..<700 {
            let election = Election(&random)
            let found = Contenders(election.candidates, election.likes, outOf: election.everybody).best()
            #expect(found.map(\.index).sorted() == election.best(), "\(election)")
        }
    }

    @Test("looks beyond the most liked menu for something as good but for T") func tie() {
        // The slate that begins with the first menu serves all six as well as the better one does, which is without it.
        let likers = [[0, 1], [2, 3], [0, 4], [1, 5], [4, 5]]
        let election = Election(
            liked: likers.map { likers in (0..<6).map(likers.contains) }, weights: Array(repeating: 1, count: 6),
            wishes: Array(repeating: SmallSet(), count: 5), totals: [2, 2, 2, 2, 0], lots: Array(0..<5))
        #expect(Contenders(election.candidates, election.likes, outOf: 6).best().map(\.index) == [1, 2, 3])
        #expect(election.best() == [1, 2, 3])
    }

    @Test("tells a fair slate from an unfair one", arguments: 10..<12 as Range<UInt64>) func fairness(seed: UInt64) {
        var random = Generator(seed: seed)
        for _ in 0..<700 {
            let election = Election(&random)
            let field = Contenders(election.candidates, election.likes, outOf: election.everybody)
            var fairness = Fairness(of: field)
            for slate in Election.slates(of: field.menus.count) {
                let menus = slate.map { field.menus[$0].index }
                #expect(fairness.holds(for: Slate(slate[0], slate[1], slate[2])) == election.isFair(menus), "\(election) \(menus)")
            }
        }
    }
}

/// Any likes, wishes, T and lots, and what S7 says about them, said as simply as it can be.
private struct Election {
    let likes: Likes
    /// By menu, then by member.
    let liked: [[Bool]]
    let weights: [Int]
    let wishes: [SmallSet]
    let totals: [Int]
    let lots: [Int]

    init(_ random: inout Generator) {
        let menus = random.number(4...8)
        let weights = [random.number(1...8), random.percent(30) ? random.number(1...3) : 0, 0, random.percent(30) ? 1 : 0].enumerated()
            .flatMap { Array(repeating: $0 + 1, count: $1) }
        let chance = random.number(10...80)
        self.init(
            liked: (0..<menus).map { _ in weights.map { _ in random.percent(chance) } }, weights: weights,
            wishes: (0..<menus).map { _ in SmallSet(bits: UInt64(random.percent(60) ? 0 : random.number(0...7))) },
            totals: (0..<menus).map { _ in random.number(0...2) }, lots: Array(0..<menus).shuffled(using: &random))
    }

    /// A word for each weight: fewer than 64 members.
    init(liked: [[Bool]], weights: [Int], wishes: [SmallSet], totals: [Int], lots: [Int]) {
        let blocks = Set(weights).sorted()
        likes = Likes(
            width: blocks.count, weights: blocks.map { Int32($0) },
            words: liked.flatMap { row in
                blocks.map { block in row.indices.reduce(0) { weights[$1] == block && row[$1] ? $0 | 1 << UInt64($1) : $0 } }
            })
        self.liked = liked
        self.weights = weights
        self.wishes = wishes
        self.totals = totals
        self.lots = lots
    }

    var everybody: Int { weights.reduce(0, +) }

    var candidates: [Candidate] {
        liked.indices.map { menu in
            Candidate(
                index: menu, row: menu, weight: Int32(weight { liked[menu][$0] }), likers: 0, wishes: wishes[menu], total: totals[menu],
                lot: lots[menu])
        }.sorted(by: Candidate.precedes)
    }

    static func slates(of count: Int) -> [[Int]] {
        (0..<count).flatMap { a in (a..<count).dropFirst().flatMap { b in (b..<count).dropFirst().map { [a, b, $0] } } }
    }

    private func weight(_ isIn: (Int) -> Bool) -> Int { weights.indices.reduce(0) { isIn($1) ? $0 + weights[$1] : $0 } }

    private func count(_ slate: [Int]) -> [Int] { weights.indices.map { member in slate.count { liked[$0][member] } } }

    func isFair(_ slate: [Int]) -> Bool {
        let count = count(slate)
        return (1...3).allSatisfy { level in
            liked.indices.allSatisfy { m in
                slate.contains(m) || 4 * weight { liked[m][$0] && count[$0] < level } <= level * everybody
            }
        }
    }

    func best() -> [Int] {
        Self.slates(of: liked.count).filter(isFair).max { key($0).lexicographicallyPrecedes(key($1)) } ?? []
    }

    private func key(_ slate: [Int]) -> [Int] {
        let count = count(slate)
        let carried = slate.reduce(into: SmallSet()) { $0.formUnion(wishes[$1]) }.count
        let pav = weights.indices.reduce(0) { $0 + weights[$1] * [0, 6, 9, 11][count[$1]] }
        let total = slate.reduce(0) { $0 + totals[$1] }
        return [carried, pav, weight { count[$0] > 0 }, total] + slate.map { -lots[$0] }.sorted(by: >)
    }
}
