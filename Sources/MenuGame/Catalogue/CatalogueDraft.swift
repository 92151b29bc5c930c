/// A catalogue as somebody wrote it down: ids still names, nothing checked. The shape is the file's.
public struct CatalogueDraft: Sendable {
    public var traits: [(id: String, has: Localized, lacks: Localized)] = []
    public var vetoes: [(id: String, label: Localized, hint: Localized)] = []
    public var cuisines: [(id: String, label: Localized)] = []
    public var cards: [(id: String, prompt: Localized, kind: CardKind)] = []
    public var menus: [Menu] = []
    public var fingerprint = ""

    public enum CardKind: Sendable {
        case trait(String)
        case traits([String], none: Localized)
        case cuisines
    }

    public struct Menu: Sendable {
        public var id: String
        public var name: Localized
        public var emoji: String
        public var search: String
        public var traits: [(id: String, value: Int)]
        public var cuisines: [String]
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

    public init() {}
}

/// One thing wrong with a catalogue.
public struct CatalogueFault: Hashable, Sendable {
    /// Where, as a JSON Pointer (RFC 6901) into the file.
    public let pointer: String
    public let detail: String

    public init(_ pointer: String, _ detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Everything wrong with a catalogue, in the order of the file.
public struct CatalogueFaults: Error, Hashable, Sendable {
    public let faults: [CatalogueFault]

    public init(_ faults: [CatalogueFault]) { self.faults = faults }
}
