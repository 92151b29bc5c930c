public import MenuGame

/// Where devices say how they want to be told. Calls may block and come from one queue at a time.
public protocol PushRegistry: Sendable {
    /// Writes changes down in their order, in one durable transaction. A push token belongs to one device: whoever registers it last.
    /// Of one device's registrations the `registrationsPerToken` newest are kept.
    func apply(_ changes: [PushRegistryChange]) throws(StoreError)

    /// Deletes registrations that nobody has renewed, and what was to be told and is worth nothing any more; at most `limit` of each.
    ///
    /// - Returns: how many.
    func deleteIdle(at now: Instant, limit: Int) throws(StoreError) -> Int
}

public enum PushRegistryChange: Hashable, Sendable {
    /// Takes the place of an earlier registration of the same push token.
    case register(PushDevice)
    /// All registrations of a device go, with what waits for them.
    case unregister(TokenHash)
}

/// How a device wants to be told.
public struct PushDevice: Hashable, Sendable {
    public let owner: TokenHash
    public let platform: PushPlatform
    public let pushToken: String
    public let language: Language
    /// The room that a live activity is of; `nil` for what is told of all rooms that the device is in.
    public let room: Identifier?
    public let at: Instant
    public let expiresAt: Instant

    public init(
        owner: TokenHash, platform: PushPlatform, pushToken: String, language: Language, room: Identifier?, at: Instant, expiresAt: Instant
    ) {
        self.owner = owner
        self.platform = platform
        self.pushToken = pushToken
        self.language = language
        self.room = room
        self.at = at
        self.expiresAt = expiresAt
    }
}
