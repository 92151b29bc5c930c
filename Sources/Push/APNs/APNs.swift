public import MenuGame
public import UseCases

/// The Apple Push Notification service (Apple, "Sending notification requests to APNs").
public final class APNs: PushSender {
    private let configuration: APNsConfiguration
    private let tokens: ProviderTokens
    private let client: HTTPClient

    public init(_ configuration: APNsConfiguration, client: HTTPClient) {
        self.configuration = configuration
        self.client = client
        tokens = ProviderTokens(configuration)
    }

    public var service: PushService { .apns }

    public func send(_ message: PushMessage, at now: Instant, completion: @escaping @Sendable (PushOutcome) -> Void) {
        send(message, at: now, isSecond: false, completion)
    }

    private func send(_ message: PushMessage, at now: Instant, isSecond: Bool, _ completion: @escaping @Sendable (PushOutcome) -> Void) {
        let device = message.registration.pushToken
        // It becomes a part of an address.
        guard message.registration.platform.canHave(token: device) else {
            return completion(.rejected("BadDeviceToken"))
        }
        let payload = APNsPayload.bytes(message)
        guard payload.count <= PushLimits.payload else { return completion(.rejected("PayloadTooLarge")) }
        guard let token = tokens.token(at: now) else { return completion(.again(after: nil, troubled: true, "no token can be signed")) }
        let request = HTTPRequest(
            url: "\(configuration.origin)/3/device/\(device)", fields: fields(message, token), body: payload)
        client.send(request) { [self] result in
            switch result.map(APNsAnswer.init) {
            case .failure(let failure): completion(.again(after: nil, troubled: true, failure.description))
            case .success(.outcome(let outcome)): completion(outcome)
            case .success(.tokenExpired):
                guard !isSecond, tokens.expired(token, at: now) else { return completion(.unauthorized("ExpiredProviderToken")) }
                send(message, at: now, isSecond: true, completion)
            }
        }
    }

    private func fields(_ message: PushMessage, _ token: String) -> [(name: String, value: String)] {
        let isLive = message.registration.platform == .liveActivity
        return [
            ("authorization", "bearer \(token)"),
            ("content-type", "application/json"),
            ("apns-id", message.id.uuid),
            ("apns-topic", isLive ? "\(configuration.bundle).push-type.liveactivity" : configuration.bundle),
            ("apns-push-type", isLive ? "liveactivity" : "alert"),
            ("apns-priority", "10"),
            ("apns-expiration", "\(message.notice.expiresAt.milliseconds / 1000)"),
            // What came before of the same room is replaced. At most 64 bytes; an id of a room has 22.
            ("apns-collapse-id", message.notice.room.text),
        ]
    }
}
