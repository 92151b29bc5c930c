/// A recommendation in words: what people get to see, of a group or of one. It needs no catalogue any more.
public struct Outcome: Hashable, Sendable {
    /// Members who answered (the rule's n).
    public let playerCount: Int
    /// At most three, best first (S8).
    public let menus: [Menu]
    /// Menus that somebody's vetoes ruled out.
    public let excludedMenus: Int
    /// The vetoes that were given and excluded a menu; `nil` where naming them would tell one person what the other cannot eat.
    public let excludedBy: [Identifier]?
    /// Whether there are fewer than three menus since vetoes left no more.
    public let vetoesLeftFewer: Bool
    /// What the lots were drawn with (S10): with it and the answers anybody can derive the outcome again.
    public let seed: String

    /// One recommended menu, in the words of its catalogue.
    public struct Menu: Hashable, Sendable {
        public let id: Identifier
        public let name: Localized
        /// Members who like it (S5).
        public let likedBy: Int
        /// At most three, the most wanted first (S9).
        public let keywords: [Keyword]

        public init(id: Identifier, name: Localized, likedBy: Int, keywords: [Keyword]) {
            self.id = id
            self.name = name
            self.likedBy = likedBy
            self.keywords = keywords
        }
    }

    /// Something about a menu that more members asked for than against (S9).
    public struct Keyword: Hashable, Sendable {
        public let trait: Identifier
        /// Which of the trait's two words it is.
        public let side: Recommendation.Side
        /// The trait's word for that side.
        public let label: Localized
        /// Members who asked for this side.
        public let supporters: Int
        /// Members who asked for the other side.
        public let opposers: Int

        public init(trait: Identifier, side: Recommendation.Side, label: Localized, supporters: Int, opposers: Int) {
            self.trait = trait
            self.side = side
            self.label = label
            self.supporters = supporters
            self.opposers = opposers
        }
    }

    public init(
        playerCount: Int, menus: [Menu], excludedMenus: Int, excludedBy: [Identifier]?, vetoesLeftFewer: Bool, seed: String
    ) {
        self.playerCount = playerCount
        self.menus = menus
        self.excludedMenus = excludedMenus
        self.excludedBy = excludedBy
        self.vetoesLeftFewer = vetoesLeftFewer
        self.seed = seed
    }
}

extension Outcome {
    /// The words that `catalogue` has for a recommendation.
    ///
    /// - Parameters:
    ///   - recommendation: made from this catalogue.
    ///   - seed: the one that the recommendation was made with.
    ///   - ofGroup: whether it is shown to more people than the one who answered.
    public init(_ recommendation: Recommendation, in catalogue: Catalogue, seed: String, ofGroup: Bool) {
        // Of two vetoes lists, one's own tells the other's; a single one is whole.
        let isTelling = ofGroup && recommendation.playerCount <= 2
        self.init(
            playerCount: recommendation.playerCount,
            menus: recommendation.menus.map { Menu($0, in: catalogue) },
            excludedMenus: recommendation.excludedMenus,
            excludedBy: isTelling ? nil : recommendation.excludingVetoes.map { catalogue.vetoes[$0].id },
            vetoesLeftFewer: recommendation.reason == .vetoesLeftFewer,
            seed: seed)
    }
}

extension Outcome.Menu {
    fileprivate init(_ pick: Recommendation.Pick, in catalogue: Catalogue) {
        let menu = catalogue.menus[pick.menu]
        self.init(
            id: menu.id, name: menu.name, likedBy: pick.likedBy,
            keywords: pick.keywords.map { keyword in
                let trait = catalogue.traits[keyword.trait]
                return Outcome.Keyword(
                    trait: trait.id, side: keyword.side, label: keyword.side == .has ? trait.has : trait.lacks,
                    supporters: keyword.supporters, opposers: keyword.opposers)
            })
    }
}
