/// What a group is told: at most three menus, best first, and why each of them.
///
/// Menus, traits and vetoes are indices of the catalogue that it was made from.
public struct Recommendation: Hashable, Sendable {
    /// Members who answered (the rule's n).
    public let playerCount: Int
    /// Ranked, without repeats, none of them vetoed by anybody (S4, S8). Fewer than `Limits.slate` only where the pool has no more.
    public let menus: [Pick]
    /// How many menus of the catalogue somebody vetoed.
    public let excludedMenus: Int
    /// The vetoes that members gave and that excluded a menu.
    public let excludingVetoes: SmallSet

    public init(playerCount: Int, menus: [Pick], excludedMenus: Int, excludingVetoes: SmallSet) {
        self.playerCount = playerCount
        self.menus = menus
        self.excludedMenus = excludedMenus
        self.excludingVetoes = excludingVetoes
    }

    /// One recommended menu.
    public struct Pick: Hashable, Sendable {
        /// Its index in the catalogue.
        public let menu: Int
        /// Members who like it (S5), each counted once whatever their weight.
        public let likedBy: Int
        /// At most three, the most wanted first (S9).
        public let keywords: [Keyword]

        public init(menu: Int, likedBy: Int, keywords: [Keyword]) {
            self.menu = menu
            self.likedBy = likedBy
            self.keywords = keywords
        }
    }

    /// Something about a menu that more members asked for than against, each counted once whatever their weight.
    public struct Keyword: Hashable, Sendable {
        /// Its index in the catalogue.
        public let trait: Int
        /// What the menu is, and what the supporters asked for.
        public let side: Side
        /// Members who asked for this side, 1 or more.
        public let supporters: Int
        /// Members who asked for the other side, fewer than the supporters.
        public let opposers: Int

        public init(trait: Int, side: Side, supporters: Int, opposers: Int) {
            self.trait = trait
            self.side = side
            self.supporters = supporters
            self.opposers = opposers
        }
    }

    /// Whether a menu has a trait or lacks it. The names are those of the vectors and the API.
    public enum Side: String, Hashable, Sendable {
        case has, lacks
    }

    /// Why there are fewer menus than `Limits.slate`.
    public enum Reason: Hashable, Sendable {
        case vetoesLeftFewer
    }

    /// `nil` where there are as many as there should be, or where nothing was vetoed and the catalogue itself has fewer.
    public var reason: Reason? { menus.count < Limits.slate && excludedMenus > 0 ? .vetoesLeftFewer : nil }
}
