import Dispatch
public import HTTP
import Synchronization

/// An HTTP/1.1 server: as many event loops as cores, each with a listening socket of its own.
///
/// It runs from `start` until `stop`, whether anybody holds it or not.
public final class Server: Sendable {
    private struct State {
        var loops: [EventLoop] = []
        var port = 0
        var sockets: [Int32] = []
        var capacity: Capacity?
        var isStarted = false
    }

    private let configuration: ServerConfiguration
    private let responder: any Responder
    private let onRefusal: (@Sendable (Status, Duration) -> Void)?
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "http.server")

    /// `onRefusal` is told of every request that the protocol itself refuses, and how long it took; it is called on the loop and must
    /// not block.
    public init(
        configuration: ServerConfiguration, responder: some Responder, onRefusal: (@Sendable (Status, Duration) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.responder = responder
        self.onRefusal = onRefusal
    }

    /// Listens and serves. When it returns, clients can connect.
    ///
    /// - Parameter sockets: those of its configuration, if they are open already.
    public func start(on sockets: ListeningSockets? = nil) throws(ListenError) {
        try state.withLock { state throws(ListenError) in
            guard !state.isStarted else { throw .alreadyStarted }
            let sockets = if let sockets { sockets } else { try ListeningSockets(configuration) }
            let (listeners, port) = (sockets.listeners, sockets.port)
            let descriptors = DescriptorLimit.raise()
            let capacity = Capacity(DescriptorLimit.connections(configuration.maxConnections, of: descriptors))
            var pollers: [Poller] = []
            do throws(ListenError) {
                for _ in listeners { pollers.append(try Poller()) }
            } catch {
                for poller in pollers { poller.close() }
                for listener in listeners { listener.close() }
                throw error
            }
            for (number, (listener, poller)) in zip(listeners, pollers).enumerated() {
                state.loops.append(
                    EventLoop(
                        number, listener: listener, poller: poller, limits: configuration.limits, capacity: capacity,
                        responder: responder, onRefusal: onRefusal))
            }
            state.port = port
            state.sockets = listeners.prefix(inherited.isEmpty ? listeners.count : inherited.count).map(\.descriptor)
            state.capacity = capacity
            state.isStarted = true
            for loop in state.loops { loop.start() }
        }
    }

    private var inherited: [Int32] { configuration.inherited }

    /// Its listening sockets, to be handed over to another process; they are its own until it stops.
    public var sockets: [Int32] { state.withLock { $0.sockets } }

    /// The port it listens on; 0 before `start`.
    public var port: Int { state.withLock { $0.port } }

    /// How many connections it takes: what the configuration says, or what the system lets it have; 0 before `start`.
    public var maxConnections: Int { state.withLock { $0.capacity?.limit ?? 0 } }

    /// How many connections there are.
    public var connections: Int { state.withLock { $0.capacity?.taken ?? 0 } }

    /// Takes no more connections, closes the idle ones and lets requests in progress be answered with `Connection: close`; closes what
    /// is left after `grace`. Then calls `completion`, on a queue of its own. Later calls only wait for the same end.
    ///
    /// - Parameter handingOver: whether another process has the listening sockets, too. Then what waits in them is left to that one, and idle
    ///   connections are given a moment for a request that may be on its way. Inherited sockets are handed over in any case.
    public func stop(within grace: Duration, handingOver: Bool = false, completion: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        let loops = state.withLock { state in state.loops }
        for loop in loops {
            group.enter()
            loop.stop(handingOver: handingOver || !inherited.isEmpty) { group.leave() }
        }
        let end = DispatchTime.now() + grace.dispatchInterval
        queue.asyncAfter(deadline: end) { for loop in loops { loop.abort() } }
        group.notify(queue: queue, execute: completion)
    }
}
