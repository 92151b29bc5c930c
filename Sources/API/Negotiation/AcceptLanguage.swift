import HTTP
import MenuGame

extension Language {
    /// The language that a request prefers of those there are (RFC 9110 §12.5.4, by prefix as in RFC 4647 §3.3.1); the default without one.
    ///
    /// Of two that are wanted as much, the one named first.
    init(preferredBy fields: Fields) {
        self = .ko
        guard let field = fields.list(.acceptLanguage) else { return }
        let list = WeightedList(field)
        var best = (weight: 0, position: Int.max)
        for language in Language.allCases {
            guard let wish = list.wish(for: language) else { continue }
            if wish.weight > best.weight || wish.weight == best.weight && wish.weight > 0 && wish.position < best.position {
                best = wish
                self = language
            }
        }
    }
}

extension WeightedList {
    /// What is said of a language: by its own tag or a longer one, of which the most wanted counts, or else by `*`.
    fileprivate func wish(for language: Language) -> (weight: Int, position: Int)? {
        let tag = language.rawValue
        let ranges = elements.enumerated().map { (value: $1.value, weight: $1.weight, position: $0) }
        let exact = ranges.filter { $0.value == tag || $0.value.hasPrefix(tag + "-") }
        let wished = exact.max { ($0.weight, $1.position) < ($1.weight, $0.position) } ?? ranges.first { $0.value == "*" }
        return wished.map { ($0.weight, $0.position) }
    }
}
