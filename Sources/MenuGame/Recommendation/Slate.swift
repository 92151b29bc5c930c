/// Three contenders by their places, ascending: the order of S8.
struct Slate {
    let a: Int
    let b: Int
    let c: Int

    /// In any order.
    init(_ x: Int, _ y: Int, _ z: Int) {
        a = min(x, y, z)
        c = max(x, y, z)
        b = x + y + z - a - c
    }

    func contains(_ place: Int) -> Bool { place == a || place == b || place == c }
}

extension Contenders {
    /// Q: the weight of the members who like all three.
    func common(_ slate: Slate) -> Int32 { likes.weight(slate.a, slate.b, slate.c) }

    /// What Q is at most: no more than any two of them have in common, nor so much that more are reached than there are (proof 3).
    func commonBound(_ slate: Slate) -> Int32 {
        let (ab, ac, bc) = (pair(slate.a, slate.b), pair(slate.a, slate.c), pair(slate.b, slate.c))
        let others = weights[slate.a] + weights[slate.b] + weights[slate.c] - ab - ac - bc
        return min(ab, ac, bc, everybody - others)
    }

    /// What six times the PAV score of three is at most: `score(…).pav` for that bound, in short for the innermost loops.
    func pavBound(_ x: Int, _ y: Int, _ z: Int) -> Int32 {
        let (xy, xz, yz) = (pair(x, y), pair(x, z), pair(y, z))
        let others = weights[x] + weights[y] + weights[z] - xy - xz - yz
        return 3 * (weights[x] + weights[y] + weights[z] + others) + 2 * min(xy, xz, yz, everybody - others)
    }

    /// The wishes that at least one of the three carries.
    func carried(_ slate: Slate) -> SmallSet { menus[slate.a].wishes.union(menus[slate.b].wishes).union(menus[slate.c].wishes) }

    /// The slate's score if Q were `common`. It grows with Q, so a bound of Q gives a bound of the score (proofs 2 and 3).
    func score(_ slate: Slate, common: Int32, by order: Score.Order) -> Score {
        let liked = weights[slate.a] + weights[slate.b] + weights[slate.c]
        let pairs = pair(slate.a, slate.b) + pair(slate.a, slate.c) + pair(slate.b, slate.c)
        let (a, b, c) = (menus[slate.a], menus[slate.b], menus[slate.c])
        let lots = Slate(a.lot, b.lot, c.lot)
        return Score(
            wishes: carried(slate).count, pav: 6 * liked - 3 * pairs + 2 * common, reach: liked - pairs + common,
            total: a.total + b.total + c.total, lots: (lots.a, lots.b, lots.c), order: order)
    }
}
