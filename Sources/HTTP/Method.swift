/// A request method (RFC 9110 §9): a token, compared case-sensitively.
public enum Method: Hashable, Sendable {
    case get, head, options, post, put, patch, delete
    /// Any other token, so `get` too.
    case other(Other)

    /// A method that has no case of its own. Made by `Method.init` alone, so that none has two forms.
    public struct Other: Hashable, Sendable {
        public let name: String

        fileprivate init(_ name: String) { self.name = name }
    }

    /// The name is not checked: what the decoder makes one of is a token.
    public init(_ name: String) {
        self =
            switch name {
            case "GET": .get
            case "HEAD": .head
            case "OPTIONS": .options
            case "POST": .post
            case "PUT": .put
            case "PATCH": .patch
            case "DELETE": .delete
            default: .other(Other(name))
            }
    }

    /// As it came, which may be any token that fits into a head.
    public var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .options: "OPTIONS"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .other(let other): other.name
        }
    }

    /// Not for us: the decoder refuses it with 501.
    static let connect = Method("CONNECT")
}
