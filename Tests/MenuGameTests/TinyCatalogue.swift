import MenuGame

/// A catalogue for one test: a card for each trait, a card of cuisines, and the menus that the test is about.
struct TinyCatalogue {
    var traits: [String]
    var cuisines: [String] = ["east", "west"]

    struct Menu {
        let id: String
        let values: [String: Int]
        let cuisines: [String]
        let contains: [String]?

        init(_ id: String, _ values: [String: Int] = [:], cuisines: [String] = [], contains: [String]? = []) {
            self.id = id
            self.values = values
            self.cuisines = cuisines
            self.contains = contains
        }
    }

    func with(_ menus: Menu...) throws -> Catalogue {
        let none = Localized(ko: "", en: "")
        var draft = CatalogueDraft()
        draft.traits = traits.map { ($0, none, none) }
        draft.vetoes = [("fish", none, none), ("nuts", none, none)]
        draft.cuisines = cuisines.map { ($0, none) }
        draft.cards = traits.map { ($0, none, .trait($0)) } + [("cuisine", none, .cuisines)]
        draft.menus = menus.map { menu in
            .init(
                id: menu.id, name: none, emoji: "", search: "", traits: menu.values.map { ($0.key, $0.value) }, cuisines: menu.cuisines,
                contains: menu.contains)
        }
        return try Catalogue(draft, for: .rule)
    }
}

extension Catalogue {
    /// A ballot of someone who likes and dislikes these traits.
    func ballot(
        _ likes: String..., not dislikes: [String] = [], cuisines: [String]? = nil, vetoes: [String] = [], weight: Int = 1
    ) throws -> Ballot {
        var draft = AnswerDraft(vetoes: vetoes)
        draft.answers = likes.map { ($0, .word("like")) } + dislikes.map { ($0, .word("dislike")) }
        if let cuisines { draft.answers.append(("cuisine", .list(cuisines))) }
        return Ballot(try AnswerSheet(draft, in: self), weight: weight)
    }

    /// How many like each menu of the result, by id.
    func likes(of ballots: [Ballot]) -> [String: Int] {
        let picks = Recommendation(of: ballots, in: self, seed: "room").menus
        return Dictionary(picks.map { (menus[$0.menu].id.text, $0.likedBy) }, uniquingKeysWith: { first, _ in first })
    }

    /// The keywords of the result, by menu: `+trait` has it, `-trait` lacks it.
    func keywords(of ballots: [Ballot]) -> [String: [String]] {
        let picks = Recommendation(of: ballots, in: self, seed: "room").menus
        return Dictionary(
            picks.map { pick in
                (menus[pick.menu].id.text, pick.keywords.map { ($0.side == .has ? "+" : "-") + traits[$0.trait].id.text })
            }, uniquingKeysWith: { first, _ in first })
    }
}
