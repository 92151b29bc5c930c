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
        guard let query = queryItems(query) else { throw Problem(.malformedRequest) }
        let after = try Self.number("after", in: query)
        let seconds = try Self.number("wait", in: query)
        if let seconds, seconds > APIBounds.hold { throw Problem(.malformedRequest) }
        guard let after, let seconds, seconds > 0, !isHead else { return nil }
        self.after = after
        self.seconds = seconds
    }

    private static func number(_ name: String, in query: [(name: String, value: String)]) throws(Problem) -> Int? {
        guard let text = query.last(where: { $0.name == name })?.value else { return nil }
        guard let number = decimal(text.utf8) else { throw Problem(.malformedRequest) }
        return number
    }
}

/// The number that decimal digits, and nothing else, spell; `nil` where they are none or too many.
func decimal(_ digits: some Collection<UInt8>) -> Int? {
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
}
