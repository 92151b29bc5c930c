/// What the answer must know of its request.
public struct Exchange: Hashable, Sendable {
    /// An answer to HEAD has no content (RFC 9110 §9.3.2).
    public var isHead: Bool
    /// Such a client takes the connection for closed unless the answer says `keep-alive` (RFC 9112 §9.3).
    public var isHTTP10: Bool
    /// The client keeps the connection open for a further request (RFC 9112 §9.3).
    public var persists: Bool

    public init(isHead: Bool = false, isHTTP10: Bool = false, persists: Bool = true) {
        self.isHead = isHead
        self.isHTTP10 = isHTTP10
        self.persists = persists
    }
}
