import HTTP
import Synchronization

/// Answers that other threads have for the connections of a loop. A batch of them costs one wake-up, and none while the loop is awake:
/// it looks in before it goes to sleep.
final class Mailbox: Sendable {
    struct Letter: Sendable {
        let connection: Connection
        let ticket: ConnectionState.Ticket
        let response: Response
    }

    private struct Content {
        var letters: [Letter] = []
        var isAwake = false
        var isClosed = false
    }

    private let content = Mutex(Content())

    /// True when the loop sleeps and nobody has woken it yet, so that the caller must.
    func post(_ letter: Letter) -> Bool {
        content.withLock { content in
            guard !content.isClosed else { return false }
            content.letters.append(letter)
            defer { content.isAwake = true }
            return !content.isAwake
        }
    }

    /// The loop is up, and needs no waking.
    func wake() { content.withLock { $0.isAwake = true } }

    /// What has been posted. When that is nothing, the loop may sleep, and the next letter wakes it.
    func takeOrSleep() -> [Letter] {
        content.withLock { content in
            guard !content.letters.isEmpty else {
                content.isAwake = false
                return []
            }
            defer { content.letters = [] }
            return content.letters
        }
    }

    /// Nobody reads any more. What is inside holds the connections, and they hold the loop.
    func close() { content.withLock { $0 = Content(isClosed: true) } }
}
