import Glibc
import TestSupport
import Testing

@testable import hansang

@Suite("Telling the service manager")
struct ServiceManagerTests {
    @Test("It is told at the socket that it names, in a file or without one", arguments: [false, true])
    func told(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@hansang-test-\(getpid())-\(UInt32.random(in: .min ... .max))" : folder.path("notify")
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let bound = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, length) }
        }
        #expect(bound == 0)
        for state in [ServiceManager.State.ready, .stopping, .handedOver(to: 7)] {
            ServiceManager.notify(state, to: name)
            var received = [UInt8](repeating: 0, count: 64)
            let count = recv(descriptor, &received, received.count, 0)
            #expect(String(decoding: received.prefix(max(0, count)), as: UTF8.self) == state.text)
        }
    }

    @Test(
        "Where nobody listens, or there is no such place, nothing happens",
        arguments: [nil, "", "notify", "/nowhere/notify", String(repeating: "/x", count: 100)])
    func nobody(name: String?) {
        ServiceManager.notify(.ready, to: name)
        #expect(ServiceManager.State.ready.text == "READY=1")
    }
}
