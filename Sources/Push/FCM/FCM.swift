public import MenuGame
public import UseCases

/// Firebase Cloud Messaging by its HTTP v1 API (Google, "Method: projects.messages.send").
public final class FCM: PushSender {
    private let url: String
    private let tokens: AccessTokens
    private let client: HTTPClient

    public static let origin = "https://fcm.googleapis.com"

    /// - Parameter origin: `https://` and a host; the tests have another.
    public init(_ account: ServiceAccount, client: HTTPClient, origin: String = origin) throws(ConfigurationError) {
        guard origin.hasPrefix("https://") else { throw ConfigurationError(description: "FCM is reached by https:// only") }
        url = "\(origin)/v1/projects/\(account.project)/messages:send"
        tokens = AccessTokens(account, client: client)
        self.client = client
    }

    public var service: PushService { .fcm }

    public func send(_ message: PushMessage, at now: Instant, completion: @escaping @Sendable (PushOutcome) -> Void) {
        let payload = FCMPayload.bytes(message, at: now)
        // What counts there is less than the whole of it, and ours is a fifth of it.
        guard payload.count - message.registration.pushToken.utf8.count <= PushLimits.payload else {
            return completion(.rejected("PayloadTooLarge"))
        }
        send(payload, at: now, isSecond: false, completion)
    }

    private func send(_ payload: [UInt8], at now: Instant, isSecond: Bool, _ completion: @escaping @Sendable (PushOutcome) -> Void) {
        tokens.token(at: now) { [self] result in
            let token: String
            switch result {
            case .success(let text): token = text
            case .failure(let error): return completion(error.outcome)
            }
            let request = HTTPRequest(
                url: url, fields: [("authorization", "Bearer \(token)"), ("content-type", "application/json")], body: payload)
            client.send(request) { [self] result in
                switch result.map(FCMAnswer.init) {
                case .failure(let failure): completion(.again(after: nil, troubled: true, failure.description))
                case .success(.outcome(let outcome)): completion(outcome)
                case .success(.tokenRefused):
                    tokens.drop(token)
                    // Google may end one before its time; another that is refused as well is not worth a third.
                    guard !isSecond else { return completion(.unauthorized("UNAUTHENTICATED")) }
                    send(payload, at: now, isSecond: true, completion)
                }
            }
        }
    }
}
