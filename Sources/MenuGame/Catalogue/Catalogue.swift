/// What the game is played with: the cards that are asked, and the menus that can come out.
///
/// Ids are resolved to indices once, here; the rule works on indices and bit sets alone. A catalogue exists only if it is valid
/// (`init(_:for:)`). Its meaning is the rule's section C.
public struct Catalogue: Sendable {
    public let traits: [Trait]
    public let vetoes: [Veto]
    public let cuisines: [Cuisine]
    public let cards: [Card]
    public let menus: [Menu]
    /// A name for exactly this content; what a room stores of the catalogue it is played with.
    public let fingerprint: String

    let traitIndex: [Identifier: Int]
    let vetoIndex: [Identifier: Int]
    let cuisineIndex: [Identifier: Int]
    let cardIndex: [Identifier: Int]
    let menuIndex: [Identifier: Int]
    /// The menus as the rule runs through them.
    let columns: MenuColumns

    /// Something a dish has or lacks, and the keyword for either.
    public struct Trait: Sendable {
        public let id: Identifier
        public let has: Localized
        public let lacks: Localized
    }

    /// Something a person cannot eat.
    public struct Veto: Sendable {
        public let id: Identifier
        public let label: Localized
        public let hint: Localized
    }

    public struct Cuisine: Sendable {
        public let id: Identifier
        public let label: Localized
    }

    /// One question of the game.
    public struct Card: Sendable {
        public let id: Identifier
        public let prompt: Localized
        public let kind: Kind

        public enum Kind: Sendable {
            /// Like, dislike or skip one trait.
            case trait(Int)
            /// Choose any of these traits, or none of them.
            case traits([Int], none: Localized)
            /// Choose any cuisines.
            case cuisines
        }
    }

    public struct Menu: Sendable {
        public let id: Identifier
        public let name: Localized
        public let emoji: String
        /// What to type into a map to find it.
        public let search: String
        /// By trait index: −2…2, 0 where unknown.
        public let values: [Int]
        /// Empty where unknown.
        public let cuisines: SmallSet
        /// The vetoes it falls under; `nil` where unknown.
        public let contains: SmallSet?

        /// Whether somebody with these vetoes cannot eat it (S4): what is unknown is excluded by any veto.
        public func isExcluded(by vetoes: SmallSet) -> Bool {
            guard !vetoes.isEmpty else { return false }
            guard let contains else { return true }
            return contains.meets(vetoes)
        }
    }

    public func menu(_ id: Identifier) -> Menu? { menuIndex[id].map { menus[$0] } }

    public func veto(_ id: Identifier) -> Int? { vetoIndex[id] }

    init(
        traits: [Trait], vetoes: [Veto], cuisines: [Cuisine], cards: [Card], menus: [Menu], fingerprint: String
    ) {
        func index(_ ids: [Identifier]) -> [Identifier: Int] {
            Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
        }
        self.traits = traits
        self.vetoes = vetoes
        self.cuisines = cuisines
        self.cards = cards
        self.menus = menus
        self.fingerprint = fingerprint
        traitIndex = index(traits.map(\.id))
        vetoIndex = index(vetoes.map(\.id))
        cuisineIndex = index(cuisines.map(\.id))
        cardIndex = index(cards.map(\.id))
        menuIndex = index(menus.map(\.id))
        columns = MenuColumns(menus, traitCount: traits.count)
    }
}
