/// Every bound of what push services are told, and are listened to, in one place.
public enum PushLimits {
    /// Connections to one host, and altogether. Each carries many requests at a time.
    static let connectionsPerHost = 4
    static let connections = 8
    /// Requests on one connection, where the service allows as many. Few, for libcurl looks at all of them whenever one is heard of: with a
    /// hundred it took more of the processor than all else that sending takes.
    static let requestsPerConnection = 16
    /// Requests that are not answered yet; past it the newest fails at once.
    static let requests = 1024
    /// Milliseconds until a connection stands, and until a request is answered, waiting for a connection included.
    static let connectTimeout = 10_000
    static let requestTimeout = 20_000
    /// Bytes of an answer's body.
    static let responseBody = 64 * 1024
    /// Bytes of a payload (both services: 4,096).
    static let payload = 4096
    /// Bytes of a file with a key.
    public static let keyFile = 64 * 1024
    /// Milliseconds: longest `Retry-After` that is followed.
    static let retryAfter: Int64 = 60 * 60 * 1000
}
