/// Whether a slate is fair (S7): no menu outside it is liked by so many that have so little of it.
///
/// With l = 1, 2, 3: those who like the menu but fewer than l of the slate must not weigh more than l quarters of everybody.
struct Fairness {
    private let field: Contenders
    /// Only what more than a quarter like can be missed by so many; the most liked come first.
    private let claimants: Int
    /// The last menu that spoke against a slate: likely to speak against the next.
    private var objector = 0

    init(of field: Contenders) {
        self.field = field
        claimants = field.weights.firstIndex { 4 * $0 <= field.everybody } ?? field.weights.count
    }

    mutating func holds(for slate: Slate) -> Bool {
        if objector < claimants, objects(objector, to: slate) { return false }
        for menu in 0..<claimants where objects(menu, to: slate) {
            objector = menu
            return false
        }
        return true
    }

    /// Looks at the pairs first: they say within what bounds the menu's likers are served once, twice, three times (proof 8).
    private func objects(_ menu: Int, to slate: Slate) -> Bool {
        guard !slate.contains(menu) else { return false }
        let all = field.weights[menu]
        let (a, b, c) = (field.pair(menu, slate.a), field.pair(menu, slate.b), field.pair(menu, slate.c))
        let sum = a + b + c
        // At least: one like each, two of them for whoever must have more than one, and so on.
        if !exceeds((all - max(a, b, c), all - max(0, (sum - all + 1) / 2), all - max(0, sum - 2 * all))) { return false }
        // At most: likes of the slate spread over as many as there are.
        if exceeds((all - min(sum, all), all - sum / 2, all - min(a, b, c))) { return true }
        return exceeds(unserved(menu, by: slate))
    }

    private func exceeds(_ unserved: (Int32, Int32, Int32)) -> Bool {
        4 * unserved.0 > field.everybody || 4 * unserved.1 > 2 * field.everybody || 4 * unserved.2 > 3 * field.everybody
    }

    /// The weight of the menu's likers who like fewer than one, two and three of the slate.
    private func unserved(_ menu: Int, by slate: Slate) -> (Int32, Int32, Int32) {
        let (width, words) = (field.likes.width, field.likes.words)
        func row(_ place: Int, _ word: Int) -> UInt64 { words[place * width + word] }
        let all = field.weights[menu]
        let one = field.likes.weight { row(menu, $0) & (row(slate.a, $0) | row(slate.b, $0) | row(slate.c, $0)) }
        let two = field.likes.weight {
            let (a, b, c) = (row(slate.a, $0), row(slate.b, $0), row(slate.c, $0))
            return row(menu, $0) & (a & b | a & c | b & c)
        }
        let three = field.likes.weight { row(menu, $0) & row(slate.a, $0) & row(slate.b, $0) & row(slate.c, $0) }
        return (all - one, all - two, all - three)
    }
}
