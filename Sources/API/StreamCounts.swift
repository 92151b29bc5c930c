import HTTP
import MenuGame
import Synchronization

/// How many streams and held answers there may be at a time.
public struct StreamLimits: Sendable {
    public var perAddress: Int
    public var perToken: Int

    public init(perAddress: Int = APIBounds.streamsPerAddress, perToken: Int = APIBounds.streamsPerToken) {
        self.perAddress = perAddress
        self.perToken = perToken
    }
}

/// Counts the streams and held answers of each client address and each token: what is taken is freed again, once, however it ends.
final class StreamCounts: Sendable {
    /// Whose a stream is.
    struct Place: Sendable {
        let address: ClientAddress
        /// `nil` for a stranger, who is counted by address alone.
        let caller: TokenHash?
    }

    private struct Counts {
        var addresses: [ClientAddress: Int] = [:]
        var callers: [TokenHash: Int] = [:]
        var total = 0
    }

    private let limits: StreamLimits
    private let counts = Mutex(Counts())

    init(_ limits: StreamLimits) { self.limits = limits }

    /// A place for one stream of this client; `nil` where it has as many as it may.
    func take(for call: Call) -> Place? {
        let place = Place(address: call.address, caller: call.caller)
        return take(place) ? place : nil
    }

    func take(_ place: Place) -> Bool {
        counts.withLock { counts in
            guard counts.addresses[place.address, default: 0] < limits.perAddress else { return false }
            if let caller = place.caller {
                guard counts.callers[caller, default: 0] < limits.perToken else { return false }
                counts.callers[caller, default: 0] += 1
            }
            counts.addresses[place.address, default: 0] += 1
            counts.total += 1
            return true
        }
    }

    func free(_ place: Place) {
        counts.withLock { counts in
            counts.total -= 1
            Self.decrement(&counts.addresses[place.address])
            if let caller = place.caller { Self.decrement(&counts.callers[caller]) }
        }
    }

    /// How many are taken.
    var total: Int { counts.withLock(\.total) }

    /// Whether all that was taken has been freed.
    var isEmpty: Bool { counts.withLock { $0.addresses.isEmpty && $0.callers.isEmpty } }

    /// Who has none is not remembered.
    private static func decrement(_ count: inout Int?) { count = count.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
