import HTTP

/// Where a server is found from outside: `http` or `https`, a host, and maybe a port and a path.
public struct PublicURL: Hashable, Sendable {
    /// Without a slash at its end, so that a path can follow.
    let text: String

    /// The URL in `text`; `nil` unless it is one of ours: without userinfo, query and fragment (RFC 3986 §3).
    public init?(_ text: String) {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        guard let first = authority.first, first != UInt8(ascii: ":"), rest.allSatisfy(Self.isAllowed) else { return nil }
        var end = text.endIndex
        while text[..<end].hasSuffix("/") { end = text.index(before: end) }
        self.text = String(text[..<end])
    }

    /// What a host, a port and a path are written with.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~:[]/%".utf8.contains(byte)
        }
    }
}

extension PublicURL {
    /// Where a request says that it goes; `nil` where it does not, or nowhere that is written like ours.
    ///
    /// - Parameter behindProxy: whether it comes through a proxy of ours, which says in `X-Forwarded-Proto` whether it came there by TLS.
    init?(of request: Request, behindProxy: Bool) {
        guard let host = request.fields[.host], !host.isEmpty else { return nil }
        let isSecure = behindProxy && request.fields.list(.xForwardedProto) == Array("https".utf8)
        self.init((isSecure ? "https://" : "http://") + String(decoding: host, as: UTF8.self))
    }
}

extension API {
    /// Where the caller finds this server: by its own word, else by that of the request.
    func ownURL(_ call: Call) -> PublicURL? { publicURL ?? PublicURL(of: call.request, behindProxy: throttle.trustsProxy) }
}
