import Glibc
import HTTP

/// Where a request comes from, as far as limits go by it: what one customer of a network can change at will is one.
enum ClientAddress: Hashable, Sendable {
    /// In host byte order.
    case ipv4(UInt32)
    /// The first 64 bits. One site has all the addresses behind them for itself (RFC 6177 §2, RFC 7421).
    case ipv6(network: UInt64)
    /// No address. All of these are one client.
    case unknown

    /// The connection's other end; or where that is a proxy of ours, whoever it names as its own other end.
    ///
    /// That is the last address in `X-Forwarded-For`: what is before it came with the request, and anybody can write that. Without a
    /// valid one there the proxy itself is the client.
    init(of request: Request, behindProxy: Bool) {
        let forwarded = behindProxy ? request.fields.list(.xForwardedFor).flatMap(Self.init(lastOf:)) : nil
        self = forwarded ?? Self(request.peer) ?? .unknown
    }

    /// The last element of a list; empty ones count for nothing (RFC 9110 §5.6.1.2).
    private init?(lastOf list: [UInt8]) {
        let elements = list.split(separator: UInt8(ascii: ",")).lazy.map { $0.split { $0 == 0x20 || $0 == 0x09 } }
        guard let last = elements.last(where: { !$0.isEmpty }), last.count == 1 else { return nil }
        self.init(String(decoding: last[0], as: UTF8.self))
    }

    /// An address as proxies write it: with or without a port, and one of IPv6 with or without brackets around it.
    init?(_ text: String) {
        var host = text[...]
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            // Nothing else stands in brackets.
            guard host.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":"), text[text.index(after: colon)...].firstIndex(of: ":") == nil {
            guard Self.isPort(text[colon...]) else { return nil }
            host = text[..<colon]
        }
        self.init(host: String(host))
    }

    /// Nothing, or a colon and digits.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.first == ":" && (2...6).contains(text.utf8.count) && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    private init?(host: String) {
        guard host.utf8.count < INET6_ADDRSTRLEN, !host.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, host, &bytes) == 1 {
            self = .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[..<4])))
        } else if inet_pton(AF_INET6, host, &bytes) == 1 {
            // An IPv4 address that came through an IPv6 socket (RFC 4291 §2.5.5.2).
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
            self = isMapped ? .ipv4(UInt32(truncatingIfNeeded: Self.number(bytes[12...]))) : .ipv6(network: Self.number(bytes[..<8]))
        } else {
            return nil
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
