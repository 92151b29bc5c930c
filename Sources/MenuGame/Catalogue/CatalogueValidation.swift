extension Catalogue {
    /// What a catalogue is wanted for decides what is asked of it.
    public enum Purpose: Sendable {
        /// To be played: also legal ids, labels for people, and three menus under every combination of vetoes.
        case play
        /// To be given to the rule alone: section C, nothing more.
        case rule
    }

    /// The catalogue that `draft` describes.
    ///
    /// - Throws: all its faults at once.
    public init(_ draft: CatalogueDraft, for purpose: Purpose) throws(CatalogueFaults) {
        var check = CatalogueCheck(draft, purpose)
        self = try check.run()
    }
}

/// One pass over a draft that resolves names and collects whatever is wrong.
private struct CatalogueCheck {
    let draft: CatalogueDraft
    let purpose: Catalogue.Purpose
    var faults: [CatalogueFault] = []

    init(_ draft: CatalogueDraft, _ purpose: Catalogue.Purpose) {
        self.draft = draft
        self.purpose = purpose
    }

    mutating func run() throws(CatalogueFaults) -> Catalogue {
        let traits = index(draft.traits.map(\.id), "traits", limit: Limits.traits)
        let vetoes = index(draft.vetoes.map(\.id), "vetoes", limit: Limits.vetoes)
        let cuisines = index(draft.cuisines.map(\.id), "cuisines", limit: Limits.cuisines)
        _ = index(draft.cards.map(\.id), "cards", limit: Limits.cards)
        _ = index(draft.menus.map(\.id), "menus", limit: Limits.menus)
        if purpose == .play, let random = draft.menus.firstIndex(where: { $0.id == "random" }) {
            need(false, "/menus/\(random)/id", "'random' is what a random menu is asked for by")
        }
        labels()
        let cards = cards(traits)
        let menus = menus(traits, vetoes, cuisines)
        names()
        leftovers(menus)
        guard faults.isEmpty else { throw CatalogueFaults(faults) }
        return Catalogue(
            traits: draft.traits.map { .init(id: Identifier($0.id), has: $0.has, lacks: $0.lacks) },
            vetoes: draft.vetoes.map { .init(id: Identifier($0.id), label: $0.label, hint: $0.hint) },
            cuisines: draft.cuisines.map { .init(id: Identifier($0.id), label: $0.label) },
            cards: cards, menus: menus, fingerprint: draft.fingerprint)
    }

    private mutating func need(_ holds: Bool, _ pointer: String, _ detail: @autoclosure () -> String) {
        if !holds { faults.append(CatalogueFault(pointer, detail())) }
    }

    private mutating func index(_ ids: [String], _ kind: String, limit: Int) -> [Identifier: Int] {
        need(ids.count <= limit, "/\(kind)", "\(ids.count) \(kind), at most \(limit)")
        var index: [Identifier: Int] = [:]
        for (i, id) in ids.enumerated() {
            if purpose == .play { need(isLegal(id), "/\(kind)/\(i)/id", "'\(id)' is not 1 to 64 of a-z, 0-9 and -") }
            need(index[Identifier(id)] == nil, "/\(kind)/\(i)/id", "'\(id)' is there twice")
            index[Identifier(id)] = index[Identifier(id)] ?? i
        }
        return index
    }

    private func isLegal(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-")
            }
    }

    private mutating func label(_ text: Localized, _ pointer: String) {
        guard purpose == .play else { return }
        for language in Language.allCases {
            need(text[language].contains { !$0.isWhitespace }, "\(pointer)/\(language.rawValue)", "is blank")
        }
    }

    private mutating func labels() {
        for (i, trait) in draft.traits.enumerated() {
            label(trait.has, "/traits/\(i)/has")
            label(trait.lacks, "/traits/\(i)/lacks")
        }
        for (i, veto) in draft.vetoes.enumerated() {
            label(veto.label, "/vetoes/\(i)/label")
            label(veto.hint, "/vetoes/\(i)/hint")
        }
        for (i, cuisine) in draft.cuisines.enumerated() { label(cuisine.label, "/cuisines/\(i)/label") }
    }

    private mutating func cards(_ traits: [Identifier: Int]) -> [Catalogue.Card] {
        var cards: [Catalogue.Card] = []
        var asked: Set<Int> = []
        var cuisineCards = 0
        for (i, card) in draft.cards.enumerated() {
            label(card.prompt, "/cards/\(i)/prompt")
            let kind: Catalogue.Card.Kind
            switch card.kind {
            case .trait(let id):
                let trait = ask(id, of: traits, "/cards/\(i)/trait", &asked)
                kind = .trait(trait)
            case .traits(let ids, let none):
                label(none, "/cards/\(i)/none")
                need(!ids.contains("none"), "/cards/\(i)/options", "'none' is the answer for none of the options")
                kind = .traits(ids.enumerated().map { ask($1, of: traits, "/cards/\(i)/options/\($0)", &asked) }, none: none)
            case .cuisines:
                cuisineCards += 1
                kind = .cuisines
            }
            cards.append(.init(id: Identifier(card.id), prompt: card.prompt, kind: kind))
        }
        for (i, trait) in draft.traits.enumerated() { need(asked.contains(i), "/traits/\(i)", "'\(trait.id)' is on no card") }
        need(cuisineCards == 1, "/cards", "\(cuisineCards) cards of kind cuisines, there must be exactly one")
        return cards
    }

    private mutating func ask(_ id: String, of traits: [Identifier: Int], _ pointer: String, _ asked: inout Set<Int>) -> Int {
        guard let trait = traits[Identifier(id)] else {
            need(false, pointer, "there is no trait '\(id)'")
            return 0
        }
        need(asked.insert(trait).inserted, pointer, "'\(id)' is on another card too")
        return trait
    }

    private mutating func menus(
        _ traits: [Identifier: Int], _ vetoes: [Identifier: Int], _ cuisines: [Identifier: Int]
    ) -> [Catalogue.Menu] {
        var menus: [Catalogue.Menu] = []
        for (i, menu) in draft.menus.enumerated() {
            let at = "/menus/\(i)"
            label(menu.name, "\(at)/name")
            if purpose == .play {
                need(!menu.emoji.isEmpty, "\(at)/emoji", "is blank")
                need(menu.search.contains { !$0.isWhitespace }, "\(at)/search/ko", "is blank")
            }
            var values = Array(repeating: 0, count: draft.traits.count)
            for (id, value) in menu.traits {
                need((-2...2).contains(value), pointer("\(at)/traits", id), "\(value) is not within -2...2")
                if let trait = traits[Identifier(id)] {
                    values[trait] = value
                } else {
                    need(false, pointer("\(at)/traits", id), "there is no trait '\(id)'")
                }
            }
            menus.append(
                .init(
                    id: Identifier(menu.id), name: menu.name, emoji: menu.emoji, search: menu.search, values: values,
                    cuisines: resolve(menu.cuisines, in: cuisines, "\(at)/cuisines", "cuisine"),
                    contains: menu.contains.map { resolve($0, in: vetoes, "\(at)/contains", "veto") }))
        }
        return menus
    }

    private mutating func resolve(_ ids: [String], in index: [Identifier: Int], _ pointer: String, _ what: String) -> SmallSet {
        var set = SmallSet()
        for (i, id) in ids.enumerated() {
            if let found = index[Identifier(id)], found < SmallSet.capacity {
                set.insert(found)
            } else {
                need(index[Identifier(id)] != nil, "\(pointer)/\(i)", "there is no \(what) '\(id)'")
            }
        }
        return set
    }

    private mutating func names() {
        guard purpose == .play else { return }
        for language in Language.allCases {
            var seen: Set<String> = []
            for (i, menu) in draft.menus.enumerated() {
                let name = menu.name[language]
                need(seen.insert(name).inserted, "/menus/\(i)/name/\(language.rawValue)", "'\(name)' is there twice")
            }
        }
    }

    /// A menu left under all vetoes is left under any of them, so only the whole set needs to be tried.
    private mutating func leftovers(_ menus: [Catalogue.Menu]) {
        guard purpose == .play else { return }
        let left = menus.count { $0.contains?.isEmpty == true }
        need(left >= Limits.slate, "/menus", "only \(left) menus are left when everything is vetoed, at least \(Limits.slate) must be")
    }
}
