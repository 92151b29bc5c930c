/// A catalogue as somebody wrote it down: ids still names, nothing checked. The shape is the file's, and so is every order.
///
/// What the parts mean is said at `Catalogue`, which is what becomes of them.
public struct CatalogueDraft: Sendable {
    public var traits: [(id: String, has: Localized, lacks: Localized)] = []
    public var vetoes: [(id: String, label: Localized, hint: Localized)] = []
    public var cuisines: [(id: String, label: Localized)] = []
    public var cards: [(id: String, prompt: Localized, kind: CardKind)] = []
    public var menus: [Menu] = []
    /// Given by whoever has the bytes; it is taken over unchecked.
    public var fingerprint = ""

    /// `Catalogue.Card.Kind`, with ids of traits in place of indices.
    public enum CardKind: Sendable {
        case trait(String)
        case traits([String], none: Localized)
        case cuisines
    }

    /// `Catalogue.Menu`, with ids in place of indices.
    public struct Menu: Sendable {
        public var id: String
        public var name: Localized
        public var emoji: String
        public var search: String
        /// A trait that is left out has the value 0: unknown.
        public var traits: [(id: String, value: Int)]
        /// Empty where unknown.
        public var cuisines: [String]
        /// Ids of the vetoes it falls under: `[]` where it is known to be free of all, `nil` where unknown.
        public var contains: [String]?

        public init(
            id: String, name: Localized, emoji: String, search: String, traits: [(id: String, value: Int)], cuisines: [String],
            contains: [String]?
        ) {
            self.id = id
            self.name = name
            self.emoji = emoji
            self.search = search
            self.traits = traits
            self.cuisines = cuisines
            self.contains = contains
        }
    }

    /// An empty draft, to be filled row by row.
    public init() {}
}

/// One thing wrong with a catalogue.
public struct CatalogueFault: Hashable, Sendable {
    /// Where, as a JSON Pointer (RFC 6901) into the file.
    public let pointer: String
    /// What is wrong there, in English, for whoever wrote the file. It may quote the file.
    public let detail: String

    public init(_ pointer: String, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Everything wrong with a catalogue, in the order in which it was looked at: shapes before ids, ids before what refers to them.
public struct CatalogueFaults: Error, Hashable, Sendable {
    public let faults: [CatalogueFault]

    public init(_ faults: [CatalogueFault]) { self.faults = faults }
}
