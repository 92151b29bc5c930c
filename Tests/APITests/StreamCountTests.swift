import MenuGame
import TestSupport
import Testing

@testable import API

@Suite("Counting streams")
struct StreamCountTests {
    private func place(_ name: String, _ caller: UInt8?) -> StreamCounts.Place {
        let address = ClientAddress("192.0.2.\(name.utf8.first ?? 0)") ?? .unknown
        return StreamCounts.Place(address: address, caller: caller.map { TokenHash.beginning([$0]) })
    }

    @Test("Each address and each token has its own count, and what is refused counts for neither")
    func limits() {
        let counts = StreamCounts(StreamLimits(perAddress: 3, perToken: 2))
        #expect(counts.take(place("a", 1)) && counts.take(place("a", 1)))
        #expect(!counts.take(place("a", 1)))
        #expect(!counts.take(place("b", 1)))
        #expect(counts.take(place("a", nil)))
        #expect(!counts.take(place("a", nil)) && !counts.take(place("a", 2)))
        #expect(counts.take(place("b", nil)) && counts.take(place("b", 2)))
        counts.free(place("a", nil))
        #expect(counts.take(place("a", 2)))
        #expect(!counts.take(place("b", 2)))
    }

    @Test("Who has none is forgotten")
    func zero() {
        let counts = StreamCounts(StreamLimits())
        let places = (0..<100).map { place("\($0 % 7)", $0 % 3 == 0 ? nil : UInt8($0 % 20)) }
        for place in places { #expect(counts.take(place)) }
        for place in places.reversed() { counts.free(place) }
        #expect(counts.isEmpty)
    }
}
