import HTTP
import MenuGame

extension Language {
    /// The language that a request prefers of those there are (RFC 9110 §12.5.4, by prefix as in RFC 4647 §3.3.1); the default without one.
    init(preferredBy fields: Fields) {
        self = .ko
        guard let field = fields.list(.acceptLanguage) else { return }
        let list = WeightedList(field)
        var best = 0
        for language in Language.allCases {
            let weight = list.weight(of: language)
            if weight > best {
                best = weight
                self = language
            }
        }
    }
}

extension WeightedList {
    /// An exact range says more than `*`.
    fileprivate func weight(of language: Language) -> Int {
        let tag = language.rawValue
        let exact = elements.first { $0.value == tag || $0.value.hasPrefix(tag + "-") }
        return (exact ?? elements.first { $0.value == "*" })?.weight ?? 0
    }
}
