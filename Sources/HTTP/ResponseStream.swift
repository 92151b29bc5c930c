/// A response whose body stays open, as its owner holds it. Everything may be called from any thread and none of it waits: what is
/// said is written when the client takes it, and forgotten when the client has gone.
public protocol ResponseStream: AnyObject, Sendable {
    /// Adds a piece, to arrive behind those before it. A reader too slow for `ConnectionLimits.maximumStreamBacklog` is closed.
    func send(_ piece: StreamChunk)

    /// Says the newest state of something: takes the place of the snapshot before, if that has not begun to go out.
    func replace(with snapshot: StreamChunk)

    /// The same as part of a publication to many.
    func replace(with snapshot: StreamChunk, in publication: inout Publication)

    /// Ends the body behind what was said before. The connection may then serve further requests.
    func finish()

    /// `handler` is told once why the stream is over: by the loop, which it must not block, or here and now if it is over already. It
    /// therefore comes last, when the stream is already where the handler will look for it.
    func onClose(_ handler: @escaping @Sendable (any ResponseStream, CloseReason) -> Void)
}

extension ResponseStream {
    public func send(_ piece: [UInt8]) { send(StreamChunk(piece)) }
    public func replace(with snapshot: [UInt8]) { replace(with: StreamChunk(snapshot)) }
    public func replace(with snapshot: StreamChunk, in publication: inout Publication) { replace(with: snapshot) }
}

/// Why nothing more can be said.
public enum CloseReason: Hashable, Sendable {
    /// The owner has finished.
    case finished
    /// It never began: the answer has no content (HEAD), the request had been answered, or the client had gone.
    case notOpened
    /// The client has closed, or shut its sending side, which from here looks the same.
    case clientGone
    /// The client has not read for `ConnectionLimits.writeTimeout`, or what it has not read was too much.
    case tooSlow
    case serverStopping
}

/// What a stream says when it has said nothing else for a while, so that a broken connection is found out and nobody between takes
/// the silence for one.
public struct Heartbeat: Sendable {
    public let interval: Duration
    public let chunk: StreamChunk

    public init(every interval: Duration, _ chunk: StreamChunk) {
        self.interval = interval
        self.chunk = chunk
    }
}

/// One round of news to many streams. It wakes each event loop once, at its end, and not once a stream.
///
/// ```
/// var publication = Publication()
/// for stream in watchers { publication.replace(with: snapshot, on: stream) }
/// ```
public struct Publication: ~Copyable {
    private var loops: [any StreamLoop] = []

    public init() {}

    deinit { for loop in loops { loop.wake() } }

    public mutating func replace(with snapshot: StreamChunk, on stream: any ResponseStream) { stream.replace(with: snapshot, in: &self) }

    /// Says the same to all.
    @inlinable
    public static func replace(with snapshot: StreamChunk, on streams: some Sequence<any ResponseStream>) {
        var publication = Publication()
        for stream in streams { publication.replace(with: snapshot, on: stream) }
    }

    /// `loop` has been given work and is to hear of it.
    public mutating func wake(_ loop: any StreamLoop) {
        // As many as cores, and mostly the last one again.
        for known in loops.reversed() where known === loop { return }
        loops.append(loop)
    }
}

/// What serves streams and may be asleep.
public protocol StreamLoop: AnyObject, Sendable {
    func wake()
}
