import JSON
import MenuGame
import Synchronization

/// The token by which APNs knows us: one for all requests, renewed not more often than every 20 minutes and not later than after 60
/// (Apple, "Establishing a token-based connection to APNs").
final class ProviderTokens: Sendable {
    private struct Token {
        let text: String
        let issuedAt: Instant
    }

    private let configuration: APNsConfiguration
    private let current = Mutex<Token?>(nil)

    /// Milliseconds.
    private static let renewal: Int64 = 40 * 60 * 1000
    private static let shortest: Int64 = 20 * 60 * 1000

    init(_ configuration: APNsConfiguration) { self.configuration = configuration }

    /// `nil` where OpenSSL has no memory.
    func token(at now: Instant) -> String? {
        current.withLock { current in
            // Also where the clock has been set back to before it was issued: APNs takes no token from the future.
            if let current, (0..<Self.renewal).contains(Self.age(of: current, at: now)) { return current.text }
            current = make(at: now)
            return current?.text
        }
    }

    /// APNs says that `token` is too old.
    ///
    /// - Returns: whether there is a newer one to try. Not where the token is so young that it cannot be: then the clock is wrong, and another
    ///   token would be one too many.
    func expired(_ token: String, at now: Instant) -> Bool {
        current.withLock { current in
            // Others have been told the same already.
            guard let known = current, known.text == token else { return true }
            guard Self.age(of: known, at: now) >= Self.shortest else { return false }
            current = nil
            return true
        }
    }

    private func make(at now: Instant) -> Token? {
        JWT.signed(by: configuration.key, keyID: configuration.keyID) { claims in
            claims.member("iss", configuration.team)
            claims.member("iat", now.milliseconds / 1000)
        }.map { Token(text: $0, issuedAt: now) }
    }

    /// Milliseconds.
    private static func age(of token: Token, at now: Instant) -> Int64 {
        let (age, overflow) = now.milliseconds.subtractingReportingOverflow(token.issuedAt.milliseconds)
        return overflow ? .max : age
    }
}
