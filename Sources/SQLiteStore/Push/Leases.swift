import MenuGame
import UseCases

/// Messages that somebody is sending, and until when they are nobody else's.
///
/// Whoever has the file has it alone, so this is not written down: with the process that forgets it, all who were sending are gone too, and
/// what they had not settled is due.
struct Leases {
    /// Where the one message of a device and a room is.
    struct Place: Hashable {
        let room: Identifier
        /// Of its registration.
        let device: Int64
    }

    private struct Lease {
        let order: Int64
        let service: PushService
        let end: Instant
    }

    private var leases: [Place: Lease] = [:]

    var count: Int { leases.count }

    /// Drops those that are over.
    mutating func expire(at now: Instant) { leases = leases.filter { $0.value.end > now } }

    mutating func begin(_ message: PushMessage, until end: Instant) {
        leases[message.id.place] = Lease(order: message.notice.order, service: message.registration.platform.service, end: end)
    }

    mutating func end(_ message: PushMessage.ID) { if holds(message) { leases[message.place] = nil } }

    /// Whether it is leased; a newer one in its place is not.
    func holds(_ message: PushMessage.ID) -> Bool { leases[message.place]?.order == message.order }

    /// Whether whatever stands there has to wait.
    func hold(_ place: Place) -> Bool { leases[place] != nil }

    /// When the first of a service is over.
    func firstEnd(of service: PushService) -> Instant? { leases.values.filter { $0.service == service }.map(\.end).min() }
}

extension PushMessage.ID {
    fileprivate var place: Leases.Place { Leases.Place(room: room, device: registration) }
}
