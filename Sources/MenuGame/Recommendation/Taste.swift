/// What one sheet says (S1): the traits and cuisines that it wants, and the traits that it does not.
struct Taste {
    let wanted: SmallSet
    let unwanted: SmallSet
    let cuisines: SmallSet

    init(_ sheet: AnswerSheet, in catalogue: Catalogue) {
        (wanted, unwanted) = sheet.stances(in: catalogue)
        cuisines = sheet.cuisines(in: catalogue)
    }

    /// How many things it says: a(i) of S2, 0…12.
    var answered: Int { wanted.count + unwanted.count + (cuisines.isEmpty ? 0 : 1) }

    /// Points that a member's answers share: lcm(1…12), so that a share is an integer for any number of answers.
    private static let points = 27720

    /// What each answer gets of them; 0 where there is none.
    var share: Int { answered > 0 ? Self.points / answered : 0 }

    /// u(i, m) of S2 for every menu, into `utilities`: at most 2 for each answer, so 23 at most.
    func utilities(of menus: MenuColumns, into utilities: inout [Int8]) {
        for menu in utilities.indices { utilities[menu] = 0 }
        for trait in wanted { utilities.combine(menus.values[trait]) { $0 &+ $1 } }
        for trait in unwanted { utilities.combine(menus.values[trait]) { $0 &- $1 } }
        guard !cuisines.isEmpty else { return }
        // +1 for any of those wanted, −1 for others alone, 0 where none is known.
        var isWanted = [Int8](repeating: 0, count: utilities.count)
        for cuisine in cuisines { isWanted.combine(menus.cuisines[cuisine]) { $0 | $1 } }
        utilities.combine(isWanted) { $0 &+ 2 &* $1 }
        utilities.combine(menus.hasCuisine) { $0 &- $1 }
    }
}
