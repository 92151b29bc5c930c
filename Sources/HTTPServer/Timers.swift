import HTTP

/// When each connection of a loop wants to be woken: a flat list by descriptor.
///
/// A deadline changes with every request and is hardly ever reached, so setting one is a single store, and the loop looks through the
/// list at every tick: for ten thousand connections some ten microseconds.
struct Timers {
    private var deadlines: [Moment?] = []

    subscript(descriptor: Int32) -> Moment? {
        get {
            let index = Int(descriptor)
            return index < deadlines.count ? deadlines[index] : nil
        }
        set {
            let index = Int(descriptor)
            if index >= deadlines.count {
                deadlines.append(contentsOf: repeatElement(nil, count: index + 1 - deadlines.count))
            }
            deadlines[index] = newValue
        }
    }

    /// The descriptors whose time has come.
    func expired(at now: Moment) -> [Int32] {
        var expired: [Int32] = []
        for (index, deadline) in deadlines.enumerated() {
            if let deadline, deadline <= now { expired.append(Int32(truncatingIfNeeded: index)) }
        }
        return expired
    }
}
