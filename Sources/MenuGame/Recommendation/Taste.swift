/// What one sheet says in numbers (S1): a stance on each trait, and the cuisines wanted.
struct Taste {
    /// By trait: +1 wanted, −1 unwanted, 0 nothing.
    let stances: [Int]
    let cuisines: SmallSet

    init(_ sheet: AnswerSheet, in catalogue: Catalogue) {
        stances = sheet.stances(in: catalogue)
        cuisines = sheet.cuisines(in: catalogue)
    }

    /// How many things it says: a(i) of S2, 0…12.
    var answered: Int { stances.count { $0 != 0 } + (cuisines.isEmpty ? 0 : 1) }

    /// u(i, m) of S2 for every menu, into `utilities`: at most 2 for each answer, so 23 at most.
    func utilities(of menus: MenuColumns, into utilities: inout [Int8]) {
        for menu in utilities.indices { utilities[menu] = 0 }
        for (stance, values) in zip(stances, menus.values) where stance != 0 {
            if stance > 0 { utilities.combine(values) { $0 &+ $1 } } else { utilities.combine(values) { $0 &- $1 } }
        }
        guard !cuisines.isEmpty else { return }
        utilities.combine(menus.cuisines) { [wanted = cuisines.bits] in
            $0 &+ ($1 & wanted != 0 ? 1 : $1 != 0 ? -1 : 0)
        }
    }
}
