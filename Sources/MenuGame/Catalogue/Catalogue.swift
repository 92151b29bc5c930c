/// What the game is played with: the cards that are asked, and the menus that can come out.
///
/// Ids are resolved to indices once, here; the rule works on indices and bit sets alone. A catalogue exists only if it is valid
/// (`init(_:for:)`). Its meaning is the rule's section C, its bounds are those of `Limits`.
///
/// Traits, vetoes, cuisines, cards and menus stand in the order of the file; an index anywhere in this module is a place in one of these.
public struct Catalogue: Sendable {
    /// At most 11. Their order decides between keywords that are otherwise equal (S9).
    public let traits: [Trait]
    /// At most 64, for they are the bits of a `SmallSet`.
    public let vetoes: [Veto]
    /// At most 64, as the vetoes.
    public let cuisines: [Cuisine]
    /// In the order in which they are asked. Every trait is on exactly one, and exactly one asks for cuisines.
    public let cards: [Card]
    /// At most `Limits.menus`. Their order means nothing to the rule.
    public let menus: [Menu]
    /// A name for exactly this content; what a room stores of the catalogue it is played with. The server takes the SHA-256 of the file;
    /// empty where nothing is stored, as for a case of the rule.
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
        /// The keyword of a menu whose value is above 0.
        public let has: Localized
        /// The keyword of a menu whose value is below 0.
        public let lacks: Localized
    }

    /// Something a person cannot eat.
    public struct Veto: Sendable {
        public let id: Identifier
        public let label: Localized
        /// What falls under it, in a few words.
        public let hint: Localized
    }

    /// Where a menu comes from: Korean, Western, … A menu may have several.
    public struct Cuisine: Sendable {
        public let id: Identifier
        public let label: Localized
    }

    /// One question of the game.
    public struct Card: Sendable {
        public let id: Identifier
        /// The question, as people read it.
        public let prompt: Localized
        public let kind: Kind

        /// What can be answered. Traits are indices of the catalogue.
        public enum Kind: Sendable {
            /// Like, dislike or skip one trait.
            case trait(Int)
            /// Choose any of these traits, or none of them.
            case traits([Int], none: Localized)
            /// Choose any cuisines.
            case cuisines
        }
    }

    /// A dish that can be recommended, and what the rule knows about it.
    public struct Menu: Sendable {
        public let id: Identifier
        public let name: Localized
        /// What its picture shows; not empty in a catalogue to be played.
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

    /// The menu of that id, in O(1); `nil` where there is none.
    public func menu(_ id: Identifier) -> Menu? { menuIndex[id].map { menus[$0] } }

    /// The index of the veto of that id, in O(1); `nil` where there is none.
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
