/// What may wait or be in memory at a time, in one place. Past a bound the newest is refused at once, and what was accepted before
/// does not suffer. Bounds of the game itself stand in `MenuGame.Limits`, those of the API in `API.APIBounds`.
public enum Bounds {
    /// Members whose rooms are in one generation of the board, of which it has two; a room by itself counts for ten.
    public static let membersInMemory = 400_000
    /// Commands that wait for the writer or, taken up by it, until their rooms are revealed; and how many of them it takes at a time.
    static let waitingCommands = 8192
    static let commandsPerBatch = 1024
    /// How often a command is applied again after another node was faster.
    static let attempts = 8
    /// Questions of one kind that wait for the store, and how many of them it is asked at a time; rooms are large, so fewer of those.
    static let waitingQuestions = 4096
    static let questionsPerCall = 1024
    static let roomsPerLoad = 16
    /// Nanoseconds for which an audience rests behind news of its room, for each member that each watcher is told of: half a second where
    /// five hundred see each other, which is some 40 MB/s, and nothing that a dozen would notice.
    static let newsPause = 2000
    /// Rooms of which a store remembers where they are kept.
    public static let rememberedRows = 16_384
    /// Recommendations that wait to be computed.
    static let waitingComputations = 1024
    /// Bytes of answers that are kept for one device, and of one room's for all devices, to be given again under idempotency keys.
    static let receiptBytesPerToken = 4 << 20
    static let receiptBytesPerRoom = 8 << 20
    /// Milliseconds for which an answer is kept under its idempotency key.
    static let receiptLifetime: Int64 = 24 * 60 * 60 * 1000
    /// Receipts that are deleted in one transaction.
    static let receiptsPerSweep = 256
    /// Rooms that are deleted in one transaction: few, since one may hold five hundred members.
    static let roomsPerSweep = 8
    /// Rooms that one server is given at a time because the clock has something to do with them, and for how long, in milliseconds.
    static let roomsPerLease = 64
    static let lease: Int64 = 10_000
    /// How often a server says which catalogue it opens rooms with, and for how long one is kept that nobody says this of.
    static let catalogueRenewal = Duration.seconds(3600)
    public static let catalogueLifetime = Duration.seconds(7 * 24 * 3600)
    /// For how long a finding of whether the store can be written is told again.
    static let readinessValidity = Duration.seconds(1)
    /// For how long a store may take to be written before it is said that it cannot be.
    static let readinessPatience = Duration.seconds(1)
    /// Keys of one generation of a `RateLimiter`, of which it has two: as many as fit into a dictionary before it grows from 2¹⁷ places, so
    /// that a limiter of client addresses takes some 11 MB at most.
    public static let rateLimitedKeys = 98_304
    /// Milliseconds for which a stage is worth telling, and before its end at which a room's host is told that it is not revealed.
    static let pushLifetime: Int64 = 60 * 60 * 1000
    static let pushWarning: Int64 = 30 * 60 * 1000
    /// Rooms whose hosts are told so at a time.
    static let warningsPerCall = 64
    /// Registrations that wait to be written down, how many are at a time, how many one device may have, and how many idle ones are deleted
    /// at a time.
    static let waitingRegistrations = 4096
    static let registrationsPerCall = 256
    public static let registrationsPerToken = 24
    static let registrationsPerSweep = 256
    /// Milliseconds for which a registration is kept that nobody renews.
    static let registrationLifetime: Int64 = 60 * 24 * 60 * 60 * 1000
    /// Milliseconds after which it is noted again that a device is still there.
    public static let registrationRenewal: Int64 = 24 * 60 * 60 * 1000
    /// Messages that one push service has in hand at a time, and those that were answered and are not yet written down.
    static let pushesInFlight = 64
    /// How many of these have to be free before more are taken.
    static let pushesPerLease = 16
    /// How often a stage is tried for a device.
    static let pushAttempts = 8
    /// Milliseconds before a message is tried again: at most the first after the first attempt, twice that after each more, up to the
    /// second.
    static let pushPause: ClosedRange<Int64> = 2_000...600_000
    /// How often in a row a service may fail before it is left in peace.
    static let pushFailures = 8
    /// The same for a service that is, before it is tried at all.
    static let pushGatePause: ClosedRange<Int64> = 1_000...60_000
    /// Before a service is tried again that refuses our credentials.
    static let pushUnauthorizedPause = Duration.seconds(300)
    /// Milliseconds for which a message is nobody else's: longer than any sending takes.
    static let pushLease: Int64 = 60_000
}
