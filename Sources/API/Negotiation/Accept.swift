import HTTP

/// Whether a request takes an answer of this media type (RFC 9110 §12.5.1): the most specific range that covers it decides.
func accepts(_ type: String, _ fields: Fields) -> Bool {
    guard let field = fields.list(.accept) else { return true }
    let list = WeightedList(field)
    guard !list.elements.isEmpty else { return true }
    let group = type.prefix { $0 != "/" } + "/*"
    let deciding =
        list.elements.first { $0.value == type } ?? list.elements.first { $0.value == group } ?? list.elements.first { $0.value == "*/*" }
    return (deciding?.weight ?? 0) > 0
}
