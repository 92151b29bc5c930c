/// What the game is played with: the cards that are asked, and the menus that can come out.
///
/// Ids are resolved to indices once, here; the rule works on indices and bit sets alone. A catalogue exists only if it is valid
/// (`init(_:for:)`). Its meaning is the rule's section C, its bounds are those of `Limits`.
///
/// Traits, vetoes, cuisines, cards and menus stand in the order of the file; an index anywhere in this module is a place in one of these.
public struct Catalogue: Sendable {
    /// Behind one reference: every copy of a room has its catalogue in it.
    private let content: Content

    /// At most 11. Their order decides between keywords that are otherwise equal (S9).
    public var traits: [Trait] { content.traits }
    /// At most 64, for they are the bits of a `SmallSet`.
    public var vetoes: [Veto] { content.vetoes }
    /// At most 64, as the vetoes.
    public var cuisines: [Cuisine] { content.cuisines }
    /// In the order in which they are asked. Every trait is on exactly one, and exactly one asks for cuisines.
    public var cards: [Card] { content.cards }
    /// At most `Limits.menus`. Their order means nothing to the rule.
    public var menus: [Menu] { content.menus }
    /// A name for exactly this content; what a room stores of the catalogue it is played with. The server takes the SHA-256 of the file;
    /// empty where nothing is stored, as for a case of the rule.
    public var fingerprint: String { content.fingerprint }

    /// The menus as the rule runs through them.
    var columns: MenuColumns { content.columns }

    private final class Content: Sendable {
        let traits: [Trait]
        let vetoes: [Veto]
        let cuisines: [Cuisine]
        let cards: [Card]
        let menus: [Menu]
        let fingerprint: String
        let traitNames: Names
        let vetoNames: Names
        let cuisineNames: Names
        let cardNames: Names
        let menuIndex: [Identifier: Int]
        let columns: MenuColumns

        init(traits: [Trait], vetoes: [Veto], cuisines: [Cuisine], cards: [Card], menus: [Menu], fingerprint: String) {
            self.traits = traits
            self.vetoes = vetoes
            self.cuisines = cuisines
            self.cards = cards
            self.menus = menus
            self.fingerprint = fingerprint
            traitNames = Names(traits.map(\.id))
            vetoNames = Names(vetoes.map(\.id))
            cuisineNames = Names(cuisines.map(\.id))
            cardNames = Names(cards.map(\.id))
            menuIndex = Dictionary(zip(menus.map(\.id), menus.indices), uniquingKeysWith: { first, _ in first })
            columns = MenuColumns(menus, traitCount: traits.count, cuisineCount: cuisines.count)
        }
    }

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

    init(
        traits: [Trait], vetoes: [Veto], cuisines: [Cuisine], cards: [Card], menus: [Menu], fingerprint: String
    ) {
        content = Content(traits: traits, vetoes: vetoes, cuisines: cuisines, cards: cards, menus: menus, fingerprint: fingerprint)
    }
}

// By their ids.
extension Catalogue {
    /// The menu of that id, in O(1); `nil` where there is none.
    public func menu(_ id: Identifier) -> Menu? { menuIndex(id).map { menus[$0] } }

    /// The index of the veto of that id; `nil` where there is none.
    public func veto(_ id: Identifier) -> Int? { content.vetoNames.place(of: id) }

    func trait(_ id: Identifier) -> Int? { content.traitNames.place(of: id) }

    func cuisine(_ id: Identifier) -> Int? { content.cuisineNames.place(of: id) }

    func card(_ id: Identifier) -> Int? { content.cardNames.place(of: id) }

    func menuIndex(_ id: Identifier) -> Int? { content.menuIndex[id] }
}
