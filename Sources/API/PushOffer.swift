public import UseCases

/// By which services phones are told of changes, and which phones.
public struct PushOffer: Sendable {
    public var services: Set<PushService>
    /// Whether those of the shipped app are registered by themselves.
    public var includesLegacy: Bool

    public init(services: Set<PushService> = [], includesLegacy: Bool = false) {
        self.services = services
        self.includesLegacy = includesLegacy
    }
}
