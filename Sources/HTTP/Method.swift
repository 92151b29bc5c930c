/// A request method (RFC 9110 §9): a token, compared case-sensitively.
public struct Method: Hashable, Sendable {
    public let name: String

    public init(_ name: String) { self.name = name }

    public static let get = Method("GET")
    public static let head = Method("HEAD")
    public static let options = Method("OPTIONS")
    public static let post = Method("POST")
    public static let put = Method("PUT")
    public static let patch = Method("PATCH")
    public static let delete = Method("DELETE")

    static let connect = Method("CONNECT")
}
