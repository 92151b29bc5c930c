import HTTP
import UseCases

/// Counts what clients do that nobody does often who means well.
///
/// A right PIN does not make up for wrong ones: who has one room of their own could otherwise go on guessing others for ever.
final class Throttle: Sendable {
    let trustsProxy: Bool
    private let failedLookups = RateLimiter<ClientAddress>(Bounds.failedLookups)
    private let openedRooms: RateLimiter<ClientAddress>
    private let elapsed: @Sendable () -> Duration

    /// - Parameter elapsed: reads a clock that only goes forward.
    init(_ limits: ClientLimits, elapsed: @escaping @Sendable () -> Duration) {
        trustsProxy = limits.trustsProxy
        openedRooms = RateLimiter(RateLimit(perHour: limits.roomsPerHour))
        self.elapsed = elapsed
    }

    /// Counts a PIN that no room has.
    ///
    /// - Throws: `too-many-attempts`.
    func countFailedLookup(by client: ClientAddress) throws(Problem) { try take(failedLookups, client) }

    /// Counts a room that is about to be opened.
    ///
    /// - Throws: `too-many-attempts`.
    func countRoom(openedBy client: ClientAddress) throws(Problem) { try take(openedRooms, client) }

    /// For a room that could not be opened after all.
    func discountRoom(openedBy client: ClientAddress) { openedRooms.giveBack(client) }

    private func take(_ limiter: RateLimiter<ClientAddress>, _ client: ClientAddress) throws(Problem) {
        guard let wait = limiter.take(client, at: elapsed()) else { return }
        // Whole seconds (RFC 9110 §10.2.3), and not one too early.
        let seconds = wait.components.attoseconds > 0 ? wait.components.seconds + 1 : wait.components.seconds
        throw Problem(.tooManyAttempts, fields: [(.retryAfter, "\(max(1, seconds))")])
    }
}
