import HTTP
import Synchronization

/// Answers that other threads have for the connections of a loop. A batch of them costs one hop: only the first asks for a turn.
final class Mailbox: Sendable {
    struct Letter: Sendable {
        let connection: Connection
        let ticket: ConnectionState.Ticket
        let response: Response
    }

    private struct Content {
        var letters: [Letter] = []
        var turnIsComing = false
    }

    private let content = Mutex(Content())

    /// True when nobody has asked for a turn yet, so that the caller must.
    func post(_ letter: Letter) -> Bool {
        content.withLock { content in
            content.letters.append(letter)
            defer { content.turnIsComing = true }
            return !content.turnIsComing
        }
    }

    /// What has been posted; `isTurn` in the turn that was asked for, which may find the letters already taken.
    func take(isTurn: Bool) -> [Letter] {
        content.withLock { content in
            if isTurn { content.turnIsComing = false }
            guard !content.letters.isEmpty else { return [] }
            defer { content.letters = [] }
            return content.letters
        }
    }
}
