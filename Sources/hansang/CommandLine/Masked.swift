/// A value as it may be shown: of an address, nothing of a password in it.
///
/// A password stands between the user and the host, or among the parameters (libpq, §34.1.1.2). What may be a part of one is taken for one:
/// better too little is shown than too much.
func masked(_ text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return text }
    var rest = String(text[scheme.upperBound...])
    // All before the @ is the user's, a question mark or a slash too; one that holds an @ of its own is hidden whole.
    if let at = rest.lastIndex(of: "@"), let colon = rest[..<at].firstIndex(of: ":") {
        rest.replaceSubrange(rest.index(after: colon)..<at, with: "***")
    }
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    let parameters = rest[query...].split(separator: "&", omittingEmptySubsequences: false).map { parameter -> String in
        guard let equals = parameter.firstIndex(of: "=") else { return String(parameter) }
        // libpq decodes a name before it reads it.
        let name = parameter[..<equals].lowercased()
        return name.contains("pass") || name.contains("%") ? parameter[...equals] + "***" : String(parameter)
    }
    return text[..<scheme.upperBound] + rest[..<query] + parameters.joined(separator: "&")
}
