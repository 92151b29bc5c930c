/// A whole request as it came: nothing in it is decoded but the framing.
public struct Request: Sendable {
    public var method: Method
    /// The path of the target, percent-encoding untouched, beginning with `/` (`*` for `OPTIONS *`).
    public var path: [UInt8]
    /// What stands behind `?`, percent-encoding untouched; `nil` without one.
    public var query: [UInt8]?
    /// As they came; the absolute form of a target has put its own host in place of that of the field.
    public var fields: Fields
    /// The address the connection came from, in text (`127.0.0.1`, `::1`), without the port.
    public var peer: String
    /// The content without its transfer coding, at most `ConnectionLimits.maximumBodySize` bytes; empty without one.
    public var body: [UInt8]
}

extension Request {
    public init(method: Method, path: [UInt8], query: [UInt8]? = nil, fields: Fields = Fields(), body: [UInt8] = [], peer: String = "") {
        // Through the memberwise one, which makes it in one piece; set one by one, its members would all be copied once more.
        self.init(method: method, path: path, query: query, fields: fields, peer: peer, body: body)
    }
}
