import Testing

@testable import hansang

@Suite("Sockets that were there before")
struct InheritedSocketsTests {
    private func sockets(_ environment: [String: String]) -> InheritedSockets {
        InheritedSockets(environment: environment, pid: 10, parent: 9)
    }

    @Test("Those that systemd has opened for this process, by name")
    func systemd() {
        let sockets = sockets(["LISTEN_PID": "10", "LISTEN_FDS": "4", "LISTEN_FDNAMES": "hansang.socket:admin::ready"])
        #expect(sockets.clients == [3, 5, 6] && sockets.admin == [4] && sockets.ready == nil)
        #expect(self.sockets(["LISTEN_PID": "10", "LISTEN_FDS": "2"]).clients == [3, 4])
    }

    @Test("Those of the server before this one, and where it waits")
    func predecessor() {
        let sockets = sockets(["LISTEN_PPID": "9", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:admin:ready"])
        #expect(sockets.clients == [3] && sockets.admin == [4] && sockets.ready == 5)
    }

    @Test(
        "What was meant for another process, or is no number, is none",
        arguments: [
            [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "11", "LISTEN_FDS": "1"], ["LISTEN_PPID": "10", "LISTEN_FDS": "1"],
            ["LISTEN_PID": "10"], ["LISTEN_PID": "10", "LISTEN_FDS": "0"], ["LISTEN_PID": "10", "LISTEN_FDS": "-1"],
            ["LISTEN_PID": "10", "LISTEN_FDS": "many"], ["LISTEN_PID": "10", "LISTEN_FDS": "2000000000"],
            ["LISTEN_PID": "10", "LISTEN_FDS": "99999999999999999999"],
        ])
    func none(environment: [String: String]) {
        #expect(sockets(environment).isEmpty && sockets(environment).ready == nil)
    }
}
