import HTTP
import MenuGame
import UseCases

extension API {
    /// Who `?token=` says is asking. It goes the way of any device token from here: checked, hashed and forgotten.
    ///
    /// - Throws: `token-required` where there is none, where there are two, and where it is malformed.
    func legacyCaller(_ call: Call) throws(Problem) -> TokenHash { try legacyCaller(token: legacyToken(call)) }

    /// What `?token=` says; `nil` where there is none and where there are two.
    func legacyToken(_ call: Call) -> String? {
        // A plus is a plus: the app's system leaves it as it is, and no token has a space.
        let tokens = queryItems(call.request.query, plusIsSpace: false)?.filter { $0.name == "token" } ?? []
        return tokens.count == 1 ? tokens.first?.value : nil
    }

    func legacyCaller(token: String?) throws(Problem) -> TokenHash {
        guard let bytes = token.map({ Array($0.utf8)[...] }), isToken(bytes) else { throw Problem(.tokenRequired) }
        guard let caller = hash(bytes) else { throw Problem(.storeUnavailable) }
        return caller
    }

    /// Has the shipped app told what happens, too: its device token is the one by which FCM knows it. Nobody waits for it; what cannot
    /// be one, and what is too many, is left alone.
    func registerLegacy(_ token: String?, of caller: TokenHash, _ call: Call) {
        guard push.includesLegacy, let token, PushPlatform.fcm.canHave(token: token), call.countRegistration() == nil else { return }
        devices.register(token, of: .fcm, by: caller, language: call.language) { _ in }
    }
}
