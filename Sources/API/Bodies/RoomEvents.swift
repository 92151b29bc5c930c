import HTTP
import JSON
import MenuGame
import UseCases

/// The pieces of an event stream (WHATWG HTML §9.2.5), each with the empty line at its end.
enum RoomEvents {
    /// When a client that was cut off is to come back.
    static let retry = Array("retry: \(APIBounds.streamRetry)\n\n".utf8)

    /// Says nothing, and so that the stream is open.
    static let comment = Array(":\n\n".utf8)

    /// The room is over, and nothing more will be said of it.
    static let end = StreamChunk(Array("event: end\ndata: {}\n\n".utf8))

    /// A room as somebody may see it. The text has no line end in it: JSON escapes them.
    static func room(_ published: PublishedRoom, as view: CallerView, at now: Instant) -> [UInt8] {
        let snapshot = JSONWriter.bytes { $0.snapshot(of: published, as: view, at: now) }
        return Array("event: room\nid: \(published.room.sequence)\ndata: ".utf8) + snapshot + Array("\n\n".utf8)
    }
}
