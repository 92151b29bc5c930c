/// Whether `condition` comes true before `limit` is over; it is looked at again and again.
public func eventually(within limit: Duration = .seconds(45), _ condition: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + limit
    while true {
        if try await condition() { return true }
        if ContinuousClock.now > end { return false }
        try await Task.sleep(for: .milliseconds(5))
    }
}
