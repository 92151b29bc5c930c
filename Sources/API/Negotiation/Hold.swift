/// How long a `GET` wants to be held: `?after=<sequence>&wait=<seconds>`.
struct Hold {
    /// The sequence that the client knows.
    let after: Int
    /// 1…`APIBounds.hold`.
    let seconds: Int

    /// - Returns: `nil` where it is to be answered at once: without `after` or `wait`, and for HEAD.
    /// - Throws: `malformedRequest`.
    init?(_ query: [UInt8]?, isHead: Bool) throws(Problem) {
        // Most ask for nothing of the kind.
        guard let query else { return nil }
        let items = try Query(query)
        let after = try items.number("after", in: 0...Int.max)
        let seconds = try items.number("wait", in: 0...APIBounds.hold)
        guard let after, let seconds, seconds > 0, !isHead else { return nil }
        self.after = after
        self.seconds = seconds
    }
}
