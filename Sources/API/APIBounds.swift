import UseCases

/// What the API asks of requests, what one client may do, and what it is told of times, in one place. What a connection may do stands in
/// `HTTP.ConnectionLimits`, what may wait or be in memory in `UseCases.Bounds`, and what belongs to the game in `MenuGame.Limits`. The document of
/// the API says the same.
public enum APIBounds {
    // MARK: Requests

    /// Visible ASCII characters of a device token. An FCM registration token fits.
    static let token = 16...4096
    /// The same of an idempotency key.
    static let idempotencyKey = 1...128
    /// Characters of an `X-Request-ID` that is taken as a request's name: enough to be no PIN, and too few for a token of a push service,
    /// of which Apple's are the shortest with 64.
    static let requestID = 8...63
    /// Bytes of a `traceparent`: a later version may have more in it than ours (W3C Trace Context §3.2.4).
    static let traceParent = 512
    /// Elements of a negotiation field that are looked at; nobody has so many preferences.
    static let preferences = 64
    /// Faults that are told of one body; who makes more has other things to learn first.
    static let faultsTold = 100
    /// Bytes of a QR code's text: a phone still reads it from across a table. A host is at most 253 long (RFC 1035 §2.3.4).
    static let qrCodeText = 300

    // MARK: Times

    /// Seconds for which a `GET` may be held.
    static let hold = 60
    /// Between two signs of life on a stream that has nothing to say.
    static let heartbeat = Duration.seconds(15)
    /// Milliseconds after which a client whose stream was cut off comes back.
    static let streamRetry = 2000
    /// Milliseconds for which a client may take a snapshot for the present.
    static let freshness: Int64 = 10_000

    // MARK: Clients

    /// Streams and held answers at a time, of one address and of one device token.
    public static let streamsPerAddress = 1000
    public static let streamsPerToken = 16
    /// Look-ups of PINs that no room has.
    static let failedLookups = RateLimit(burst: 30, interval: .seconds(20))
    /// Registrations for push: an office may be one client.
    static let registrations = RateLimit(burst: 1000, interval: .seconds(4))
    /// Rooms that one address opens.
    public static let roomsPerHour = 60
    /// For how long at least it is no guess to ask for a room that has ended, unless more than so many end meanwhile.
    static let endsRemembered = Duration.seconds(300)
    static let endsInMemory = 8192
}
