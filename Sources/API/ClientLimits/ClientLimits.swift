/// What one client may do, and how one client is told from another.
public struct ClientLimits: Sendable {
    /// Whether clients come through a proxy of ours, which names them in `X-Forwarded-For`. Anybody who reaches the server without it
    /// could then be whoever they like.
    public var trustsProxy: Bool
    /// Rooms that one address opens: so many at once, and as many again spread over an hour.
    public var roomsPerHour: Int

    public init(trustsProxy: Bool = false, roomsPerHour: Int = APIBounds.roomsPerHour) {
        self.trustsProxy = trustsProxy
        self.roomsPerHour = roomsPerHour
    }
}
