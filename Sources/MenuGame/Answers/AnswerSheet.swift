/// What one person answered to one catalogue's cards, and what they cannot eat. It exists only if every name in it is the catalogue's.
public struct AnswerSheet: Hashable, Sendable {
    /// By card index of the catalogue; `nil` where nothing was said, which counts as a skip.
    public let choices: [Choice?]
    /// Indices of the catalogue's vetoes; empty for somebody who eats everything.
    public let vetoes: SmallSet

    /// An answer to one card.
    public enum Choice: Hashable, Sendable {
        case like
        case dislike
        case skip
        /// Indices of traits on a traits card, of cuisines on the cuisines card. Those of traits may also be not wanted, each by itself.
        case options(SmallSet, unwanted: SmallSet = SmallSet())
        /// None of the options of a traits card.
        case none
    }

    init(choices: [Choice?], vetoes: SmallSet) {
        self.choices = choices
        self.vetoes = vetoes
    }

    /// The traits that it wants and those that it does not (S1). None is both, for each is on one card.
    public func stances(in catalogue: Catalogue) -> (wanted: SmallSet, unwanted: SmallSet) {
        var (wanted, unwanted) = (SmallSet(), SmallSet())
        for card in choices.indices {
            guard let choice = choices[card], choice != .skip else { continue }
            switch (catalogue.cards[card].kind, choice) {
            case (.trait(let trait), .like): wanted.insert(trait)
            case (.trait(let trait), .dislike): unwanted.insert(trait)
            case (.traits, .options(let chosen, let others)):
                wanted.formUnion(chosen)
                unwanted.formUnion(others)
            case (.traits(let traits, _), .none): for trait in traits { unwanted.insert(trait) }
            default: break
            }
        }
        return (wanted, unwanted)
    }

    /// The cuisines it wants; empty for no preference, which choosing all of them also is (S1).
    public func cuisines(in catalogue: Catalogue) -> SmallSet {
        for (card, choice) in zip(catalogue.cards, choices) {
            if case .cuisines = card.kind, case .options(let chosen, _)? = choice {
                return chosen == .all(below: catalogue.cuisines.count) ? SmallSet() : chosen
            }
        }
        return SmallSet()
    }
}

extension AnswerSheet: Comparable {
    /// An order by what is answered alone, for lists that are to tell nothing of who answered.
    public static func < (a: AnswerSheet, b: AnswerSheet) -> Bool { a.rank.lexicographicallyPrecedes(b.rank) }

    private var rank: [UInt64] {
        choices.flatMap { choice -> [UInt64] in
            switch choice {
            case nil: [0, 0]
            case .skip?: [1, 0]
            case .like?: [2, 0]
            case .dislike?: [3, 0]
            case Choice.none?: [4, 0]
            case .options(let chosen, let unwanted)?: [5, chosen.bits, unwanted.bits]
            }
        } + [vetoes.bits]
    }
}
