public import JSON
public import MenuGame

extension Catalogue {
    /// The catalogue in a JSON text, as `Resources/catalogue.json` shows the format.
    ///
    /// - Parameters:
    ///   - fingerprint: a name for exactly the bytes of that text.
    ///   - purpose: `rule` takes catalogues without labels, and vetoes and cuisines as bare ids, as the vectors have them.
    /// - Throws: all faults at once, each with its place.
    public init(json: JSONValue, fingerprint: String, for purpose: Purpose) throws(CatalogueFaults) {
        var reader = CatalogueReader(requiresLabels: purpose == .play)
        let draft = reader.read(json, fingerprint: fingerprint)
        // The rules are tried even where the shape is wrong, so that everything is named at once; but what stands in for a value
        // that could not be read is not to be blamed a second time.
        do throws(CatalogueFaults) {
            let catalogue = try Catalogue(draft, for: purpose)
            guard reader.faults.isEmpty else { throw CatalogueFaults([]) }
            self = catalogue
        } catch {
            let rules = error.faults.filter { rule in
                !reader.faults.contains { rule.pointer == $0.pointer || rule.pointer.hasPrefix($0.pointer + "/") }
            }
            throw CatalogueFaults(reader.faults + rules)
        }
    }
}

/// Reads the shape of a catalogue and leaves its rules to the domain.
private struct CatalogueReader {
    let requiresLabels: Bool
    var faults: [CatalogueFault] = []

    init(requiresLabels: Bool) { self.requiresLabels = requiresLabels }

    mutating func read(_ json: JSONValue, fingerprint: String) -> CatalogueDraft {
        var draft = CatalogueDraft()
        draft.fingerprint = fingerprint
        guard json.object != nil else {
            fault("", "is not an object")
            return draft
        }
        if requiresLabels, json["version"] != .integer(1) { fault("/version", "is not 1, the version that this program reads") }
        for (at, trait) in rows(json, "traits") {
            let id = id(trait, at)
            draft.traits.append((id, label(trait, "has", at, id), label(trait, "lacks", at, id)))
        }
        for (at, veto) in rows(json, "vetoes") {
            let id = id(veto, at)
            draft.vetoes.append((id, label(veto, "label", at, id), label(veto, "hint", at, id)))
        }
        for (at, cuisine) in rows(json, "cuisines") {
            let id = id(cuisine, at)
            draft.cuisines.append((id, label(cuisine, "label", at, id)))
        }
        for (at, card) in rows(json, "cards") {
            let id = id(card, at)
            draft.cards.append((id, label(card, "prompt", at, id), kind(card, at, id)))
        }
        for (at, menu) in rows(json, "menus") { draft.menus.append(self.menu(menu, at)) }
        return draft
    }

    private mutating func fault(_ pointer: String, _ detail: String) { faults.append(CatalogueFault(pointer, detail)) }

    private mutating func rows(_ json: JSONValue, _ name: String) -> [(String, JSONValue)] {
        // A vector of the rule names vetoes and cuisines as bare strings: the id is all there is.
        guard let rows = json[name]?.array else {
            fault("/\(name)", "is not an array")
            return []
        }
        return rows.enumerated().map { ("/\(name)/\($0)", !requiresLabels && $1.string != nil ? .object([.init("id", $1)]) : $1) }
    }

    private mutating func id(_ row: JSONValue, _ at: String) -> String { string(row, "id", at) }

    private mutating func string(_ row: JSONValue, _ name: String, _ at: String) -> String {
        if let text = row[name]?.string { return text }
        fault("\(at)/\(name)", "is not a string")
        return ""
    }

    private mutating func strings(_ value: JSONValue?, _ at: String) -> [String] {
        guard let elements = value?.array else {
            fault(at, "is not an array of ids")
            return []
        }
        return elements.enumerated().compactMap { position, element in
            if element.string == nil { fault("\(at)/\(position)", "is not a string") }
            return element.string
        }
    }

    private mutating func label(_ row: JSONValue, _ name: String, _ at: String, _ fallback: String) -> Localized {
        guard requiresLabels else { return Localized(ko: fallback, en: fallback) }
        let texts = row[name] ?? .null
        return Localized(ko: string(texts, "ko", "\(at)/\(name)"), en: string(texts, "en", "\(at)/\(name)"))
    }

    private mutating func kind(_ card: JSONValue, _ at: String, _ id: String) -> CatalogueDraft.CardKind {
        switch card["kind"]?.string {
        case "trait": return .trait(string(card, "trait", at))
        case "traits": return .traits(strings(card["options"], "\(at)/options"), none: label(card, "none", at, "none"))
        case "cuisines": return .cuisines
        default:
            fault("\(at)/kind", "is not one of trait, traits, cuisines")
            // Keeps the place of those behind it.
            return .traits([], none: Localized(ko: "-", en: "-"))
        }
    }

    private mutating func menu(_ menu: JSONValue, _ at: String) -> CatalogueDraft.Menu {
        let id = id(menu, at)
        var traits: [(id: String, value: Int)] = []
        if menu["traits"]?.object == nil { fault("\(at)/traits", "is not an object of integers") }
        for member in menu["traits"]?.object ?? [] {
            guard let value = member.value.integer else {
                fault("\(pointer("\(at)/traits", member.name))", "is not an integer")
                continue
            }
            traits.append((member.name, Int(clamping: value)))
        }
        // `null` says that nobody knows; a missing key would say that nobody thought of it.
        var contains: [String]?
        if menu["contains"] == nil { fault("\(at)/contains", "is missing; null means unknown") }
        if let value = menu["contains"], !value.isNull { contains = strings(value, "\(at)/contains") }
        return CatalogueDraft.Menu(
            id: id, name: label(menu, "name", at, id), emoji: requiresLabels ? string(menu, "emoji", at) : "",
            search: requiresLabels ? string(menu["search"] ?? .null, "ko", "\(at)/search") : "", traits: traits,
            cuisines: strings(menu["cuisines"], "\(at)/cuisines"), contains: contains)
    }
}
