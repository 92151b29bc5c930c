import HTTP
import MenuGame
import Synchronization
import UseCases

/// Counts what clients do that nobody does often who means well.
///
/// A right PIN does not make up for wrong ones: who has one room of their own could otherwise go on guessing others for ever.
final class Throttle: Sendable {
    let trustsProxy: Bool
    private let failedLookups = RateLimiter<ClientAddress>(APIBounds.failedLookups)
    private let openedRooms: RateLimiter<ClientAddress>
    private let registrations = RateLimiter<ClientAddress>(APIBounds.registrations)
    private let ends = RecentEnds()
    private let elapsed: @Sendable () -> Duration
    /// How often somebody named a PIN that no room has, and how often too often; how often somebody wanted one room too many.
    let failures = Atomic(0), refusedLookups = Atomic(0), refusedRooms = Atomic(0)

    /// - Parameter elapsed: reads a clock that only goes forward.
    init(_ limits: ClientLimits, elapsed: @escaping @Sendable () -> Duration) {
        trustsProxy = limits.trustsProxy
        openedRooms = RateLimiter(RateLimit(perHour: limits.roomsPerHour))
        self.elapsed = elapsed
    }

    /// The room that had this PIN has ended: those who were in it may find that out.
    func noteEnd(of pin: PIN) { ends.note(pin, at: elapsed()) }

    /// Counts a PIN that no room has, unless one had it a moment ago; the failure to answer with where there were too many.
    ///
    /// - Parameter pin: `nil` for what is none.
    func countFailedLookup(of pin: PIN?, by client: ClientAddress) -> Failure? {
        if let pin, ends.contains(pin, at: elapsed()) { return nil }
        failures.wrappingAdd(1, ordering: .relaxed)
        let refusal = take(failedLookups, client)
        if refusal != nil { refusedLookups.wrappingAdd(1, ordering: .relaxed) }
        return refusal
    }

    /// What lets a client open one room, or have the answer to one solo game kept.
    func admission(of client: ClientAddress) -> Admission {
        Admission { [self] in
            let refusal = take(openedRooms, client)
            if refusal != nil { refusedRooms.wrappingAdd(1, ordering: .relaxed) }
            return refusal
        } giveBack: { [self] in
            openedRooms.giveBack(client)
        }
    }

    /// Counts a registration for push, which is kept for long; the failure to answer with where there were too many.
    func countRegistration(by client: ClientAddress) -> Failure? { take(registrations, client) }

    private func take(_ limiter: RateLimiter<ClientAddress>, _ client: ClientAddress) -> Failure? {
        limiter.take(client, at: elapsed()).map { .limited(retryAfter: $0) }
    }
}
