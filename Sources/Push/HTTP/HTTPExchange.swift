/// A request to a push service: always a POST.
struct HTTPRequest: Sendable {
    /// Of the scheme `https`. It may hold a device's token, so it is never told on.
    let url: String
    /// Names and values without line ends.
    let fields: [(name: String, value: String)]
    let body: [UInt8]
}

struct HTTPResponse: Hashable, Sendable {
    let status: Int
    /// The value of `Retry-After`; `nil` where there is none.
    let retryAfter: String?
    /// At most `PushLimits.responseBody` bytes.
    let body: [UInt8]
}

/// Why there is no answer, in libcurl's general words: no address, no field, no token.
struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
}
