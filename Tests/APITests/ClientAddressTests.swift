import HTTP
import Testing

@testable import API

@Suite("Where a request comes from")
struct ClientAddressTests {
    private func address(peer: String = "192.0.2.1", forwarded lines: [String], behindProxy: Bool = true) -> ClientAddress {
        var request = Request(method: .get, path: [], peer: peer)
        for line in lines { request.fields.append(name: Array("x-forwarded-for".utf8), value: Array(line.utf8)) }
        return ClientAddress(of: request, behindProxy: behindProxy)
    }

    private static let v4 = ClientAddress.ipv4(0xCB00_7105)
    private static let v6 = ClientAddress.ipv6(network: 0x2001_0DB8_0001_0002)

    @Test(
        "The last address in X-Forwarded-For counts, as proxies write it",
        arguments: [
            (["203.0.113.5"], v4), (["  203.0.113.5\t"], v4), (["203.0.113.5:4711"], v4), (["::ffff:203.0.113.5"], v4),
            (["[::ffff:203.0.113.5]:1"], v4), (["::FFFF:cb00:7105"], v4),
            (["2001:db8:1:2:3:4:5:6"], v6), (["2001:DB8:1:2::1"], v6), (["[2001:db8:1:2::1]"], v6), (["[2001:db8:1:2::1]:65535"], v6),
            (["10.0.0.1, 203.0.113.5"], v4), (["10.0.0.1,2001:db8:1:2::1 , 203.0.113.5"], v4), (["unknown, 203.0.113.5"], v4),
            (["10.0.0.1", "203.0.113.5"], v4), (["10.0.0.1, 10.0.0.2", "10.0.0.3", "x, 203.0.113.5"], v4),
            (["203.0.113.5,"], v4), (["203.0.113.5, ,\t,"], v4), (["203.0.113.5", ""], v4),
            ([", 203.0.113.5"], v4),
        ] as [([String], ClientAddress)])
    func last(lines: [String], expected: ClientAddress) {
        #expect(address(forwarded: lines) == expected)
    }

    @Test(
        "What is no address leaves the proxy itself for the client",
        arguments: [
            [], [""], [" , ,"], ["unknown"], ["_hidden"], ["203.0.113.5, unknown"], ["203.0.113.256"], ["203.0.113"], ["1"], ["0x7f.0.0.1"],
            ["203.0.113.05"], ["203.0.113.5 10.0.0.1"], ["203.0.113.5:"], ["203.0.113.5:http"], ["203.0.113.5:123456"], ["203.0.113.5/8"],
            ["[203.0.113.5]"], ["[2001:db8::1"], ["2001:db8::1]"], ["[2001:db8::1]x"], ["[2001:db8::1]:"], ["[]"], ["[]:80"], [":"],
            [":80"],
            ["fe80::1%eth0"], ["2001:db8::g"], ["1:2:3:4:5:6:7:8:9"], ["\u{0}203.0.113.5"], ["203.0.113.5\u{0}"], ["२०३.0.113.5"],
            [String(repeating: "1", count: 10_000)], ["203.0.113.5", "nobody"],
        ])
    func garbage(lines: [String]) {
        #expect(address(forwarded: lines) == .ipv4(0xC000_0201))
    }

    @Test("Bytes that are no text are no address")
    func bytes() {
        var request = Request(method: .get, path: [], peer: "192.0.2.1")
        request.fields.append(name: Array("X-Forwarded-For".utf8), value: [0xFF, 0xFE, 0x31])
        #expect(ClientAddress(of: request, behindProxy: true) == .ipv4(0xC000_0201))
    }

    @Test("Without a proxy that is trusted, what the client writes means nothing")
    func untrusted() {
        #expect(address(forwarded: ["203.0.113.5"], behindProxy: false) == .ipv4(0xC000_0201))
    }

    @Test(
        "The other end of the connection, an IPv6 one by its network",
        arguments: [
            ("203.0.113.5", v4), ("::ffff:203.0.113.5", v4), ("2001:db8:1:2::1", v6), ("2001:db8:1:2:ffff:ffff:ffff:ffff", v6),
            ("::1", ClientAddress.ipv6(network: 0)), ("", .unknown), ("unix", .unknown),
        ])
    func peer(text: String, expected: ClientAddress) {
        #expect(address(peer: text, forwarded: []) == expected)
    }

    @Test("Neighbouring networks are two clients")
    func networks() {
        #expect(address(peer: "2001:db8:1:2::1", forwarded: []) != address(peer: "2001:db8:1:3::1", forwarded: []))
    }
}
