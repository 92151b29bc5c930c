import JSON

extension HTTPResponse {
    /// The body as JSON; `null` where it is none.
    var json: JSONValue { (try? JSONValue(parsing: body)) ?? .null }

    /// How long the service wants to be left in peace (RFC 9110 §10.2.3), where it says so in seconds. Bounded, so that a slip of theirs is
    /// none of ours.
    var pause: Duration? {
        guard let retryAfter, let seconds = Int64(retryAfter), seconds >= 0 else { return nil }
        return .seconds(min(seconds, PushLimits.retryAfter / 1000))
    }
}

/// A service's own word for what happened, if it looks like one: it goes into the log.
func reason(_ text: String?, status: Int) -> String {
    guard let text, (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ isWordByte($0) }) else { return "HTTP \(status)" }
    return text
}

private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
}
