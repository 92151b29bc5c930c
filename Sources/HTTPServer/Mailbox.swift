import HTTP
import Synchronization

/// What other threads have for the connections of a loop. A batch of it costs one wake-up, and none while the loop is awake: it looks
/// in before it goes to sleep.
final class Mailbox: Sendable {
    enum Letter: Sendable {
        case answer(Connection, ConnectionState.Ticket, Response)
        case open(OpenStream, head: Response)
        case interruption(Connection, ConnectionState.Ticket, @Sendable (CloseReason) -> Void)
    }

    private struct Content {
        var letters: [Letter] = []
        /// Those that have something to write; each stands here once at most.
        var streams: [OpenStream] = []
        var isAwake = false
        var isClosed = false
    }

    private let content = Mutex(Content())

    /// False when nobody will read it.
    func post(_ letter: Letter) -> Bool {
        content.withLock { content in
            if !content.isClosed { content.letters.append(letter) }
            return !content.isClosed
        }
    }

    func post(_ stream: OpenStream) {
        content.withLock { content in
            if !content.isClosed { content.streams.append(stream) }
        }
    }

    /// True when the loop sleeps and nobody has woken it yet, so that the caller must. To be asked after posting.
    func needsWaking() -> Bool {
        content.withLock { content in
            guard !content.isClosed else { return false }
            defer { content.isAwake = true }
            return !content.isAwake
        }
    }

    /// The loop is up, and needs no waking.
    func wake() { content.withLock { $0.isAwake = true } }

    /// Takes the letters, and adds the streams to `streams`. False when there was nothing: then, if the loop wants to, it may sleep, and
    /// who posts next wakes it.
    func take(_ letters: inout [Letter], _ streams: inout [OpenStream], orSleep maySleep: Bool) -> Bool {
        content.withLock { content in
            guard !content.letters.isEmpty || !content.streams.isEmpty else {
                if maySleep { content.isAwake = false }
                return false
            }
            letters = content.letters
            content.letters = []
            if streams.isEmpty { swap(&streams, &content.streams) } else { streams += content.streams }
            content.streams.removeAll()
            return true
        }
    }

    /// Nobody reads any more. What is inside holds the connections, and they hold the loop; the letters are returned.
    func close() -> [Letter] {
        content.withLock { content in
            defer { content = Content(isClosed: true) }
            return content.letters
        }
    }
}

extension Mailbox.Letter {
    func open() {
        switch self {
        case .answer(let connection, let ticket, let response): connection.answer(ticket, with: response)
        case .open(let stream, let head): stream.connection?.open(stream, head)
        case .interruption(let connection, let ticket, let handler): connection.expectInterruption(ticket, handler)
        }
    }

    /// The loop has ended, and all connections with it.
    func returnToSender() {
        switch self {
        case .answer: break
        case .open(let stream, _): stream.end(.notOpened)
        case .interruption(_, _, let handler): handler(.serverStopping)
        }
    }
}
