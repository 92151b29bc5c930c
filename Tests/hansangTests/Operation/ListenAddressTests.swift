import Testing

@testable import hansang

@Suite("Where to listen")
struct ListenAddressTests {
    @Test(
        "An address and a port",
        arguments: [("127.0.0.1:9464", "127.0.0.1", 9464), ("[::1]:0", "::1", 0), ("localhost:65535", "localhost", 65535)])
    func good(text: String, host: String, port: Int) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(
        "Anything else is none",
        arguments: ["", ":", "9464", ":9464", "127.0.0.1", "127.0.0.1:", "a:65536", "a:-1", "a:+", "::1:9464", "[]:1"])
    func bad(text: String) { #expect(ListenAddress(text) == nil) }
}

extension ListenAddress? {
    /// On this machine, whichever is free.
    static var anyLocalPort: ListenAddress? { ListenAddress("127.0.0.1:0") }
}
