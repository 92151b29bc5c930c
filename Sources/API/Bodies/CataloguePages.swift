import JSON
import MenuGame
import Synchronization

/// The answers that depend on nothing but the catalogue and the language, written once.
struct CataloguePages: Sendable {
    let game: Translations<Page>
    let menus: Translations<Page>
    private let fingerprint: String

    init(_ catalogue: Catalogue) {
        fingerprint = catalogue.fingerprint
        game = Translations { Self.game(catalogue, in: $0) }
        menus = Translations { language in
            var writer = JSONWriter(reserving: 1 << 17)
            writer.object { writer in
                writer.member("menus", array: catalogue.menus) { $0.menu($1, of: catalogue, in: language) }
            }
            return Page(writer.bytes)
        }
    }

    /// Of whatever catalogue; at hand where it is this one.
    func game(of catalogue: Catalogue, in language: Language) -> Page {
        catalogue.fingerprint == fingerprint ? game[language] : Self.game(catalogue, in: language)
    }

    private static func game(_ catalogue: Catalogue, in language: Language) -> Page {
        var writer = JSONWriter()
        writer.game(catalogue, in: language)
        return Page(writer.bytes)
    }
}

/// The pages of the catalogue that is current.
final class CurrentPages: Sendable {
    private let pages: Mutex<CataloguePages>

    init(_ catalogue: Catalogue) { pages = Mutex(CataloguePages(catalogue)) }

    var current: CataloguePages { pages.withLock { $0 } }

    func show(_ catalogue: Catalogue) {
        let new = CataloguePages(catalogue)
        pages.withLock { $0 = new }
    }
}

/// The same in every language that is spoken here.
struct Translations<Value: Sendable>: Sendable {
    private let korean: Value
    private let english: Value

    init(_ make: (Language) -> Value) { (korean, english) = (make(.ko), make(.en)) }

    subscript(language: Language) -> Value {
        switch language {
        case .ko: korean
        case .en: english
        }
    }
}

/// A body and its entity tag.
struct Page: Sendable {
    let body: [UInt8]
    let tag: String

    init(_ body: [UInt8]) {
        self.body = body
        tag = entityTag(of: body)
    }
}

extension JSONWriter {
    fileprivate mutating func game(_ catalogue: Catalogue, in language: Language) {
        object { writer in
            writer.member("cards", array: catalogue.cards) { $0.card($1, of: catalogue, in: language) }
            writer.member("vetoes", array: catalogue.vetoes) { writer, veto in
                writer.object { writer in
                    writer.member("id", veto.id.text)
                    writer.member("label", veto.label[language])
                    writer.member("hint", veto.hint[language])
                }
            }
            writer.member("notice", Self.notice[language])
        }
    }

    /// What whoever picks vetoes has to know.
    private static var notice: Localized {
        Localized(
            ko: "일반적인 조리법을 기준으로 거릅니다. 알레르기 정보가 아니니 알레르기가 있다면 식당에 꼭 확인하세요.",
            en: "Judged by how a dish is usually made. This is no allergen information: with an allergy, ask the restaurant.")
    }

    private mutating func card(_ card: Catalogue.Card, of catalogue: Catalogue, in language: Language) {
        object { writer in
            writer.member("id", card.id.text)
            writer.member("prompt", card.prompt[language])
            switch card.kind {
            case .trait: writer.member("kind", "trait")
            case .traits(let traits, let none):
                writer.member("kind", "traits")
                writer.member("options", array: traits) { writer, trait in
                    writer.option(catalogue.traits[trait].id, catalogue.traits[trait].has[language])
                }
                writer.name("none")
                writer.option(Identifier("none"), none[language])
            case .cuisines:
                writer.member("kind", "cuisines")
                writer.member("options", array: catalogue.cuisines) { $0.option($1.id, $1.label[language]) }
            }
        }
    }

    private mutating func option(_ id: Identifier, _ label: String) {
        object { writer in
            writer.member("id", id.text)
            writer.member("label", label)
        }
    }

    /// `Menu`
    mutating func menu(_ menu: Catalogue.Menu, of catalogue: Catalogue, in language: Language) {
        object { writer in
            writer.member("id", menu.id.text)
            writer.member("name", menu.name[language])
            writer.member("emoji", menu.emoji)
            writer.member("imageURL", imageURL(of: menu.id))
            writer.member(
                "traits",
                object: { writer in
                    for (trait, value) in zip(catalogue.traits, menu.values) where value != 0 {
                        writer.name(text: trait.id.text)
                        writer.integer(value)
                    }
                })
            writer.member("cuisines", array: menu.cuisines) { $0.string(catalogue.cuisines[$1].id.text) }
            writer.name("contains")
            if let contains = menu.contains { writer.array(contains) { $0.string(catalogue.vetoes[$1].id.text) } } else { writer.null() }
            writer.member("search", menu.search)
        }
    }
}
