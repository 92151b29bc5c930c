/// A value as it may be shown: of an address, nothing of a password in it.
///
/// A password stands between the user and the host, or among the parameters (libpq, §34.1.1.2). What may be a part of one is taken for one:
/// better too little is shown than too much.
func masked(_ text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return text }
    let rest = text[scheme.upperBound...]
    let query = rest.firstIndex(of: "?") ?? rest.endIndex
    // One that holds an @ that was not encoded as it should be is hidden whole, too.
    var address = String(rest[..<query])
    if let at = address.lastIndex(of: "@"), let colon = address[..<at].firstIndex(of: ":") {
        address.replaceSubrange(address.index(after: colon)..<at, with: "***")
    }
    let parameters = rest[query...].split(separator: "&", omittingEmptySubsequences: false).map { parameter -> String in
        guard let equals = parameter.firstIndex(of: "=") else { return String(parameter) }
        let isSecret = parameter[..<equals].lowercased().contains("pass")
        return isSecret ? parameter[...equals] + "***" : String(parameter)
    }
    return text[..<scheme.upperBound] + address + parameters.joined(separator: "&")
}
