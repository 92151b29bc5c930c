internal import JSON
internal import MenuGame

extension JSONWriter {
    /// An outcome with nothing left out, in both languages: what a store keeps. It is not what a client gets.
    mutating func value(of outcome: Outcome) {
        object { writer in
            writer.member("playerCount", outcome.playerCount)
            writer.member("menus", array: outcome.menus) { $0.value(of: $1) }
            writer.member("excludedMenus", outcome.excludedMenus)
            writer.name("excludedBy")
            if let vetoes = outcome.excludedBy { writer.array(vetoes) { $0.string($1.text) } } else { writer.null() }
            writer.member("vetoesLeftFewer", outcome.vetoesLeftFewer)
            writer.member("seed", outcome.seed)
        }
    }

    private mutating func value(of menu: Outcome.Menu) {
        object { writer in
            writer.member("id", menu.id.text)
            writer.member("name", menu.name)
            writer.member("likedBy", menu.likedBy)
            writer.member("keywords", array: menu.keywords) { writer, keyword in
                writer.object { writer in
                    writer.member("trait", keyword.trait.text)
                    writer.member("side", keyword.side.rawValue)
                    writer.member("label", keyword.label)
                    writer.member("supporters", keyword.supporters)
                    writer.member("opposers", keyword.opposers)
                }
            }
        }
    }

    private mutating func member(_ name: StaticString, _ text: Localized) {
        self.name(name)
        object { writer in
            for language in Language.allCases {
                writer.name(text: language.rawValue)
                writer.string(text[language])
            }
        }
    }
}

extension Outcome {
    /// The outcome that `JSONWriter.value(of:)` wrote.
    init(stored json: StoredReader) throws(StoredJSONFault) {
        let excludedBy = try json.member("excludedBy")
        self.init(
            playerCount: try json.integer("playerCount"),
            menus: try json.array("menus") { menu throws(StoredJSONFault) in try Menu(stored: menu) },
            excludedMenus: try json.integer("excludedMenus"),
            excludedBy: excludedBy.value.isNull
                ? nil : try json.array("excludedBy") { veto throws(StoredJSONFault) in Identifier(try veto.string()) },
            vetoesLeftFewer: try json.bool("vetoesLeftFewer"),
            seed: try json.string("seed"))
    }
}

extension Outcome.Menu {
    fileprivate init(stored json: StoredReader) throws(StoredJSONFault) {
        self.init(
            id: Identifier(try json.string("id")), name: try json.localized("name"), likedBy: try json.integer("likedBy"),
            keywords: try json.array("keywords") { keyword throws(StoredJSONFault) in try Outcome.Keyword(stored: keyword) })
    }
}

extension Outcome.Keyword {
    fileprivate init(stored json: StoredReader) throws(StoredJSONFault) {
        guard let side = Recommendation.Side(rawValue: try json.string("side")) else { throw json.fault("has another side") }
        self.init(
            trait: Identifier(try json.string("trait")), side: side, label: try json.localized("label"),
            supporters: try json.integer("supporters"), opposers: try json.integer("opposers"))
    }
}

extension StoredReader {
    fileprivate func localized(_ name: String) throws(StoredJSONFault) -> Localized {
        let text = try member(name)
        return Localized(ko: try text.string("ko"), en: try text.string("en"))
    }
}
