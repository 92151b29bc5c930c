import Dispatch
import Glibc
import HTTP
import HTTPServer

/// `echo-server`: the HTTP engine with next to nothing behind it, for tests that try the engine alone.
@main
struct EchoServer {
    static let usage = """
        Usage: echo-server [--port N] [--log]

          --port N    listens on port N of 127.0.0.1; 0, the default, is any. The first line it prints is the port.
          --log       prints a line for every request that it sees: method, target and the bytes of its body, or
                      REFUSED and the status where it goes no further than the protocol

        """

    static func main() {
        var configuration = ServerConfiguration()
        var logs = false
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--port":
                guard let port = arguments.popFirst().flatMap({ Int($0) }) else { fail(usage) }
                configuration.port = port
            case "--log": logs = true
            default: fail(usage)
            }
        }
        let server = Server(configuration: configuration, responder: EchoResponder(observe: logs ? print : nil)) { [logs] status, _ in
            if logs { print("REFUSED \(status.code)") }
        }
        do throws(ListenError) { try server.start() } catch { fail("\(error)\n") }
        print("\(server.port)")
        dispatchMain()
    }

    /// A line at once, so that it is there before the answer is.
    @Sendable private static func print(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = write(STDOUT_FILENO, bytes, bytes.count)
    }

    private static func fail(_ text: String) -> Never {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        exit(64)
    }
}
