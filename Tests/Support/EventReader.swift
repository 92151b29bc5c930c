public import JSON
import Synchronization

/// Reads an event stream block by block, as strictly as `WireClient` reads answers. The calls block, as its calls do.
public final class EventReader: Sendable {
    public let head: WireAnswer
    private let client: WireClient
    /// What has come and makes no whole block yet.
    private let unread = Mutex("")
    /// The id of the last event.
    private let last = Mutex(Int64.min)

    /// Asks for a stream, and reads the head of the answer.
    ///
    /// - Throws: `notHTTP` where it is no stream; the connection then is ready for the next request.
    public init(_ client: WireClient, _ target: String, token: String? = nil, lastEventID: String? = nil) throws(WireError) {
        self.client = client
        let fields = ["Accept: text/event-stream"] + (lastEventID.map { ["Last-Event-ID: \($0)"] } ?? [])
        try client.write(WireClient.request("GET", target, token: token, fields: fields))
        head = try client.readStart()
        guard head.status == 200, head["Content-Type"] == "text/event-stream", head["Transfer-Encoding"] == "chunked" else {
            throw .notHTTP("\(head.status) \(head.fields)")
        }
    }

    /// The next block; `nil` where the stream ends as it should.
    public func next() throws(WireError) -> EventBlock? {
        try unread.withLock { unread throws(WireError) in
            while true {
                if let end = unread.firstRange(of: "\n\n") {
                    defer { unread.removeSubrange(..<end.upperBound) }
                    return try EventBlock(String(unread[..<end.lowerBound]))
                }
                let chunk = try client.readChunk()
                guard !chunk.isEmpty else {
                    guard unread.isEmpty else { throw .notHTTP(unread) }
                    return nil
                }
                unread += String(decoding: chunk, as: UTF8.self)
            }
        }
    }

    /// The next event, over whatever stands before it.
    ///
    /// - Throws: `notHTTP` where it is not further than the one before; `timedOut` where there is nothing but comments for a minute.
    public func event() throws(WireError) -> JSONValue {
        // The connection's own patience begins anew with every comment.
        let end = ContinuousClock.now + .seconds(60)
        while let block = try next() {
            guard ContinuousClock.now < end else { throw .timedOut }
            guard case .event("room", let id, _) = block else { continue }
            // What the stream says of itself and what the event says are one.
            guard block.json["sequence"]?.integer == id else { throw .notHTTP("an id that is not its event's: \(block)") }
            let isFurther = last.withLock { last in
                defer { last = id }
                return id > last
            }
            guard isFurther else { throw .notHTTP("not further: \(block)") }
            return block.json
        }
        throw .closed
    }

    /// The first event that is as wanted, over those before it.
    public func event(where isWanted: (JSONValue) -> Bool) throws(WireError) -> JSONValue {
        while true {
            let event = try event()
            if isWanted(event) { return event }
        }
    }
}

/// The same on threads of their own.
extension EventReader {
    public static func open(
        _ client: WireClient, _ target: String, token: String? = nil, lastEventID: String? = nil
    ) async throws -> EventReader {
        try await onOwnThread { try EventReader(client, target, token: token, lastEventID: lastEventID) }
    }

    public func nextBlock() async throws -> EventBlock? { try await onOwnThread { try self.next() } }

    public func nextEvent(where isWanted: @escaping @Sendable (JSONValue) -> Bool = { _ in true }) async throws -> JSONValue {
        try await onOwnThread { try self.event(where: isWanted) }
    }

    /// Reads to the end, and returns the blocks on the way.
    ///
    /// - Throws: `closed` where it is cut off.
    public func blocks() async throws -> [EventBlock] {
        try await onOwnThread {
            var blocks: [EventBlock] = []
            let end = ContinuousClock.now + .seconds(60)
            while let block = try self.next() {
                guard ContinuousClock.now < end else { throw WireError.timedOut }
                blocks.append(block)
            }
            return blocks
        }
    }

    /// The same, of which only the events are returned.
    public func rest() async throws -> [JSONValue] { try await blocks().filter(\.isEvent).map(\.json) }
}
