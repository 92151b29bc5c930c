public import MenuGame

/// What holds for the rooms of a server, as long as it runs.
public struct RoomSettings: Sendable {
    /// The PINs that new rooms draw from.
    public var pinSpace = PINSpace(digits: Limits.pinDigits)
    /// Whether the space grows by a digit when it is crowded; off where a test wants to see it full.
    public var pinSpaceGrows = true
    /// Milliseconds that a room lives from its creation.
    public var lifetime = Limits.roomLifetime
    /// Live rooms that one device may have opened.
    public var roomsPerToken = Limits.roomsPerToken
    /// Whether what phones are to be told is written down with the change that it tells of. Off where nobody tells them, no other server
    /// either.
    public var writesNotices = false

    /// The defaults.
    public init() {}
}
