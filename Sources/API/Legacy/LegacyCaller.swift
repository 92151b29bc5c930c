import HTTP
import MenuGame

extension API {
    /// Who `?token=` says is asking. It goes the way of any device token from here: checked, hashed and forgotten.
    ///
    /// - Throws: `token-required` where there is none, where there are two, and where it is malformed.
    func legacyCaller(_ call: Call) throws(Problem) -> TokenHash {
        // A plus is a plus: the app's system leaves it as it is, and no token has a space.
        let tokens = queryItems(call.request.query, plusIsSpace: false)?.filter { $0.name == "token" } ?? []
        return try legacyCaller(token: tokens.count == 1 ? tokens.first?.value : nil)
    }

    func legacyCaller(token: String?) throws(Problem) -> TokenHash {
        guard let bytes = token.map({ Array($0.utf8)[...] }), isToken(bytes) else { throw Problem(.tokenRequired) }
        guard let caller = hash(bytes) else { throw Problem(.storeUnavailable) }
        return caller
    }
}
