import JSON
import MenuGame
import Synchronization
import UseCases

/// The token by which Google knows us, asked for with a signed one (RFC 7523 §2.1; Google, "Using OAuth 2.0 for server to server
/// applications"), kept until shortly before it ends. However many wait for it, it is asked for once.
final class AccessTokens: Sendable {
    typealias Completion = @Sendable (Result<String, TokenError>) -> Void

    /// Why there is no token.
    struct TokenError: Error {
        let outcome: PushOutcome
    }

    private struct Token {
        let text: String
        let issuedAt: Instant
        let endsAt: Instant
    }

    private struct State {
        var token: Token?
        /// Who waits for the answer that is on its way; nobody asks where this is empty.
        var waiting: [Completion] = []
    }

    private let account: ServiceAccount
    private let client: HTTPClient
    private let state = Mutex(State())

    /// Milliseconds before its end from which on a token is used no more.
    private static let margin: Int64 = 5 * 60 * 1000
    /// Seconds that the signed request is good for; an hour at most.
    private static let assertionLifetime: Int64 = 3600
    /// Seconds that a token lives where Google does not say.
    private static let usualLifetime: Int64 = 3600
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// RFC 7523 §2.1, with its colons escaped.
    private static let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"

    init(_ account: ServiceAccount, client: HTTPClient) {
        self.account = account
        self.client = client
    }

    /// Calls `completion` once, at once or on the client's queue.
    func token(at now: Instant, completion: @escaping Completion) {
        let (token, asks) = state.withLock { state -> (String?, Bool) in
            if let token = state.token, token.issuedAt <= now, now < token.endsAt { return (token.text, false) }
            state.waiting.append(completion)
            return (nil, state.waiting.count == 1)
        }
        if let token { completion(.success(token)) } else if asks { ask(at: now) }
    }

    /// FCM does not take `token`: the next who wants one has a new one asked for.
    func drop(_ token: String) { state.withLock { if $0.token?.text == token { $0.token = nil } } }

    private func ask(at now: Instant) {
        let seconds = now.milliseconds / 1000
        let assertion = JWT.signed(by: account.key, keyID: account.keyID) { claims in
            claims.member("iss", account.email)
            claims.member("scope", Self.scope)
            claims.member("aud", account.tokenURL)
            claims.member("iat", seconds)
            claims.member("exp", seconds + Self.assertionLifetime)
        }
        guard let assertion else {
            return answer(.failure(TokenError(outcome: .again(after: nil, troubled: true, "no token can be signed"))))
        }
        let request = HTTPRequest(
            url: account.tokenURL, fields: [("content-type", "application/x-www-form-urlencoded")],
            body: Array("grant_type=\(Self.grant)&assertion=\(assertion)".utf8))
        client.send(request) { [self] result in answer(result.mapError(Self.error).flatMap { Self.token(in: $0, at: now) }) }
    }

    private func answer(_ result: Result<Token, TokenError>) {
        let waiting = state.withLock { state in
            state.token = try? result.get()
            defer { state.waiting = [] }
            return state.waiting
        }
        for completion in waiting { completion(result.map(\.text)) }
    }

    private static func error(_ failure: HTTPFailure) -> TokenError {
        TokenError(outcome: .again(after: nil, troubled: true, failure.description))
    }

    /// RFC 6749 §5.1 and §5.2.
    private static func token(in response: HTTPResponse, at now: Instant) -> Result<Token, TokenError> {
        let json = response.json
        switch response.status {
        case 200:
            guard let text = json["access_token"]?.string, isToken(text) else {
                return .failure(TokenError(outcome: .again(after: nil, troubled: true, "no access token in the answer")))
            }
            let lifetime = min(max(json["expires_in"]?.integer ?? usualLifetime, 0), 24 * 3600)
            return .success(Token(text: text, issuedAt: now, endsAt: now.advanced(by: lifetime * 1000 - margin)))
        case 408, 429, 500...:
            return .failure(TokenError(outcome: .again(after: response.pause, troubled: true, "HTTP \(response.status)")))
        default: return .failure(TokenError(outcome: .unauthorized(reason(json["error"]?.string, status: response.status))))
        }
    }

    /// It becomes the value of a field.
    private static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
