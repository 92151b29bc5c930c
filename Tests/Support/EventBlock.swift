public import JSON

/// One block of an event stream: what stands between two empty lines (WHATWG HTML §9.2.6).
public enum EventBlock: Hashable, Sendable {
    /// An event as a server has to send it here: with a name, an id and one line of data.
    case event(name: String, id: Int64, data: String)
    /// The last event of a room.
    case end
    case retry(Int)
    case comment

    /// Reads a block strictly: nothing that a browser would pass over in silence.
    init(_ text: String) throws(WireError) {
        if text == ":" {
            self = .comment
            return
        }
        let fields = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        guard fields.allSatisfy({ $0.count == 2 }) else { throw .notHTTP(text) }
        switch fields.map({ $0[0] }) {
        case ["retry"]:
            guard let milliseconds = Int(fields[0][1]) else { throw .notHTTP(text) }
            self = .retry(milliseconds)
        case ["event", "id", "data"]:
            guard let id = Int64(fields[1][1]) else { throw .notHTTP(text) }
            self = .event(name: fields[0][1], id: id, data: fields[2][1])
        case ["event", "data"] where fields[0][1] == "end" && fields[1][1] == "{}": self = .end
        default: throw .notHTTP(text)
        }
    }

    var isEvent: Bool { if case .event = self { true } else { false } }

    /// The data of an event; `null` for anything else.
    public var json: JSONValue {
        guard case .event(_, _, let data) = self else { return .null }
        return (try? JSONValue(parsing: Array(data.utf8))) ?? .null
    }
}
