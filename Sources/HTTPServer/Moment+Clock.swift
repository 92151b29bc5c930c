import Glibc
import HTTP

extension Moment {
    /// The monotonic clock: no change of the wall clock moves it.
    static var now: Moment {
        var reading = timespec()
        clock_gettime(CLOCK_MONOTONIC, &reading)
        return Moment(elapsed: .seconds(reading.tv_sec) + .nanoseconds(reading.tv_nsec))
    }
}
