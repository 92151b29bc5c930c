/// The choice of the slate (S7), exact, in two passes over the contenders.
struct SlateSearch {
    let field: Contenders
    private let order: Score.Order
    private var best: Slate
    private var score: Score

    private init(_ field: Contenders, from slate: Slate, by order: Score.Order) {
        self.field = field
        self.order = order
        best = slate
        score = field.score(slate, common: field.common(slate), by: order)
    }

    /// The best fair slate.
    ///
    /// A slate of the highest PAV score is always fair (proof 6). If it carries every wish that any menu carries, nothing beats it;
    /// otherwise only fair slates with more wishes do (proof 7).
    static func best(of field: Contenders) -> Slate {
        var first = SlateSearch(field, from: field.greedy(), by: .pavFirst)
        first.searchByPAV()
        let every = field.menus.reduce(into: SmallSet()) { $0.formUnion($1.wishes) }
        guard field.carried(first.best) != every else { return first.best }
        var second = SlateSearch(field, from: first.best, by: .wishesFirst)
        second.searchByWishes()
        return second.best
    }

    /// Takes the slate if it is better and allowed; its Q is counted only if the bound does not rule it out.
    @inline(__always)
    private mutating func consider(_ slate: Slate, if isAllowed: (Slate) -> Bool = { _ in true }) {
        guard field.score(slate, common: field.commonBound(slate), by: order) > score else { return }
        let exact = field.score(slate, common: field.common(slate), by: order)
        guard exact > score, isAllowed(slate) else { return }
        best = slate
        score = exact
    }

    /// Pass 1. With x given, y adds g(y) = 6·L(y) − 3·P(x, y), and z beside y no more than g(z): so the others are tried in the order
    /// of g, until even twice the next is not enough.
    private mutating func searchByPAV() {
        let count = field.menus.count
        for x in 0..<(count - 2) {
            let base = 6 * field.weights[x]
            guard 3 * base >= score.pav else { break }
            var others = ((x + 1)..<count).map { (place: $0, gain: 6 * field.weights[$0] - 3 * field.pair(x, $0)) }
            let most = others.reduce(0) { max($0, $1.gain) }
            others.removeAll { base + $0.gain + most < score.pav }
            others.sort { $0.gain > $1.gain }
            for (i, y) in others.enumerated() {
                guard base + 2 * y.gain >= score.pav else { break }
                for z in others[(i + 1)...] {
                    guard base + y.gain + z.gain >= score.pav else { break }
                    guard field.pavBound(x, y.place, z.place) >= score.pav else { continue }
                    consider(Slate(x, y.place, z.place))
                }
            }
        }
    }

    /// Pass 2: only slates with more wishes than the first pass found, and of these only fair ones.
    private mutating func searchByWishes() {
        let floor = score.wishes
        let wishes = field.menus.map(\.wishes)
        var fairness = Fairness(of: field)
        for x in 0..<(wishes.count - 2) {
            for y in (x + 1)..<(wishes.count - 1) {
                let two = wishes[x].union(wishes[y])
                for z in (y + 1)..<wishes.count {
                    let carried = two.union(wishes[z]).count
                    guard carried > floor, carried >= score.wishes else { continue }
                    if carried == score.wishes, field.pavBound(x, y, z) < score.pav { continue }
                    consider(Slate(x, y, z)) { fairness.holds(for: $0) }
                }
            }
        }
    }
}

extension Contenders {
    /// Somewhere good to start: one menu after another, each the one that adds most. Affects speed alone (proof 4).
    fileprivate func greedy() -> Slate {
        let second = (1..<menus.count).max { 2 * weights[$0] - pair(0, $0) < 2 * weights[$1] - pair(0, $1) } ?? 1
        let slates = (1..<menus.count).lazy.filter { $0 != second }.map { Slate(0, second, $0) }
        return slates.max { pav($0) < pav($1) } ?? Slate(0, 1, 2)
    }

    private func pav(_ slate: Slate) -> Int32 { score(slate, common: common(slate), by: .pavFirst).pav }
}
