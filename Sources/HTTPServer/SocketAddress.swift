import Glibc

/// An address of either family, kept in the storage that fits both.
struct SocketAddress {
    private(set) var storage = sockaddr_storage()
    private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    var family: Int32 { Int32(storage.ss_family) }

    /// Any address, to be filled in by the system.
    init() {}

    /// The first address of `host`.
    init(host: String, port: Int) throws(ListenError) {
        guard let port = UInt16(exactly: port) else { throw .badPort(port) }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        // An empty name would mean every address, which nobody should get by forgetting to write one.
        guard !host.isEmpty, getaddrinfo(host, nil, &hints, &list) == 0, let first = list else { throw .badHost(host) }
        defer { freeaddrinfo(first) }
        length = first.pointee.ai_addrlen
        withUnsafeMutableBytes(of: &storage) {
            $0.copyMemory(from: UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
        }
        self.port = port
    }

    var port: UInt16 {
        // The port stands in the same place for both families.
        get { UInt16(bigEndian: withUnsafeBytes(of: storage) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }) }
        set { withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: newValue.bigEndian, toByteOffset: 2, as: UInt16.self) } }
    }

    /// The address in text, without the port; one that came through IPv6 from IPv4 is written as IPv4.
    var host: String {
        let isIPv6 = family == AF_INET6
        let bytes = withUnsafeBytes(of: storage) { Array($0[(isIPv6 ? 8..<24 : 4..<8)]) }
        let isMapped = isIPv6 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let address = isMapped ? Array(bytes[12...]) : bytes
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 && !isMapped ? AF_INET6 : AF_INET, address, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) } }
    }

    mutating func withMutablePointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Result) -> Result {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        defer { self.length = length }
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
        }
    }
}
