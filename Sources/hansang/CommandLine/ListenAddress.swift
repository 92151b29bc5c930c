/// Where to listen, as one value: `127.0.0.1:9464`, `[::1]:9464`.
struct ListenAddress: Hashable, Sendable {
    let host: String
    let port: Int

    /// `nil` for what is no address and port.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            // Without brackets nobody knows where an address of IPv6 ends.
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }
}
