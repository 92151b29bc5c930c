/// A response status code (RFC 9110 §15).
public struct Status: Hashable, Sendable {
    public let code: Int

    public init(_ code: Int) { self.code = code }
}
