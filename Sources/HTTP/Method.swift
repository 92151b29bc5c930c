/// A request method (RFC 9110 §9): a token, compared case-sensitively.
public struct Method: Hashable, Sendable {
    /// As it came, which may be any token that fits into a head; `get` is not `GET`.
    public let name: String

    /// The name is not checked: what the decoder makes one of is a token.
    public init(_ name: String) { self.name = name }

    public static let get = Method("GET")
    public static let head = Method("HEAD")
    public static let options = Method("OPTIONS")
    public static let post = Method("POST")
    public static let put = Method("PUT")
    public static let patch = Method("PATCH")
    public static let delete = Method("DELETE")

    /// Not for us: the decoder refuses it with 501.
    static let connect = Method("CONNECT")
}
