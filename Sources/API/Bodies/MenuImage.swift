import MenuGame

/// Where a menu's picture is.
func imageURL(of menu: Identifier) -> String { "/images/\(menu).svg" }

/// A menu's picture: its emoji on a plate.
func menuImage(_ menu: Catalogue.Menu, in language: Language) -> [UInt8] {
    let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" role="img" aria-label="\(escaped(menu.name[language]))">\
        <rect width="240" height="240" fill="#fff4e3"/><circle cx="120" cy="120" r="92" fill="#fff"/>\
        <circle cx="120" cy="120" r="92" fill="none" stroke="#eccf9f" stroke-width="4"/>\
        <text x="120" y="126" font-size="104" text-anchor="middle" dominant-baseline="central">\(escaped(menu.emoji))</text></svg>
        """
    return Array(svg.utf8)
}

/// Text for XML: an operator's catalogue may hold anything.
private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
        switch character {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "\u{9}", "\u{A}", "\u{D}", "\u{20}"...: escaped.unicodeScalars.append(character)
        default: break
        }
    }
    return escaped
}
