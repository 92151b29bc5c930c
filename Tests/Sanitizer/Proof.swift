import Dispatch
import Synchronization

// What a run under thread sanitizer is worth: threads that wait for one another at a mutex, which is no race and must not be reported; and,
// when told `race`, a count that they share without one, which must be.

final class Shared: @unchecked Sendable {
    let guarded = Mutex<[Int]>([])
    var unguarded = 0
}

let shared = Shared()
let races = CommandLine.arguments.contains("race")

DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for number in 0..<20_000 {
        shared.guarded.withLock { numbers in
            if numbers.count == 100 { numbers = [] }
            numbers.append(number)
        }
        if races { shared.unguarded += 1 }
    }
}
