import HTTP

/// The listening sockets of a server, open before there is anybody to answer: whoever connects meanwhile waits. They are closed when the
/// server that is started on them stops, or else with the process.
public struct ListeningSockets: Sendable {
    let listeners: [Listener]
    let port: Int

    /// Opens those that `configuration` names, or takes over those that are inherited.
    public init(_ configuration: ServerConfiguration) throws(ListenError) {
        let (count, writeTimeout) = (max(1, configuration.loops), configuration.limits.writeTimeout)
        let inherited = configuration.inherited
        (listeners, port) =
            if inherited.isEmpty {
                try Listener.open(count, host: configuration.host, port: configuration.port, writeTimeout: writeTimeout)
            } else {
                // None of them may be left without a loop.
                try Listener.adopt(inherited, max(count, inherited.count), writeTimeout: writeTimeout)
            }
    }
}
