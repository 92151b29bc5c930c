import HTTP
import Testing

@testable import HTTPServer

@Suite("Timers")
struct TimersTests {
    @Test("Deadlines expire when their time has come, in any order of descriptors, unless they were moved or taken back")
    func expiry() {
        let start = Moment(elapsed: .seconds(1000))
        var timers = Timers()
        #expect(timers[7] == nil)
        timers[7] = start + .seconds(1)
        timers[3] = start + .seconds(2)
        timers[5] = start + .seconds(1)
        timers[9] = start
        timers[5] = start + .seconds(60)
        timers[9] = nil
        #expect(timers.expired(at: start) == [])
        #expect(timers.expired(at: start + .seconds(1)) == [7])
        #expect(timers.expired(at: start + .seconds(2)) == [3, 7])
    }
}
