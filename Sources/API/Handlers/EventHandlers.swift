import HTTP
import MenuGame
import UseCases

extension API {
    /// `GET /v1/rooms/{pin}/events`: the room as it is, then each change of it, as server-sent events (WHATWG HTML §9.2).
    func readEvents(_ call: Call, _ pin: String) throws(Problem) {
        rooms.read(try call.pin(pin)) { [self] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published): openStream(call, published)
            }
        }
    }

    private func openStream(_ call: Call, _ published: PublishedRoom) {
        var head = Response(Status(200), fields: Self.eventFields)
        if call.request.method == .head {
            _ = call.stream(head, heartbeat: Self.heartbeat)
            return
        }
        guard let place = openStreams.take(for: call) else { return call.refuse(Problem(.tooManyAttempts)) }
        let (id, pin, sequence) = (published.room.id, published.room.pin, published.room.sequence)
        let caller = call.caller
        let knowsIt = lastEventID(call.request.fields) == sequence
        // What cannot be compared with the store just now must not pass for the present.
        let instant = published.asOf ?? rooms.now()
        head.body =
            RoomEvents.retry
            + (knowsIt ? RoomEvents.comment : RoomEvents.room(published, as: CallerView(published, caller), at: instant))
        let stream = call.stream(head, heartbeat: Self.heartbeat)
        let watcher = EventStream(stream, for: caller) { [throttle] in throttle.noteEnd(of: pin) }
        rooms.watch(published, after: sequence, by: watcher)
        stream.onClose { [rooms, openStreams] _, _ in
            rooms.unwatch(id, by: watcher)
            openStreams.free(place)
        }
    }

    private static let eventFields: [Field] = [
        Field(.contentType, "text/event-stream"), Field(.cacheControl, "no-store"), Field(.vary, "Authorization"),
        // nginx would collect the events before it passes them on.
        Field(.accelBuffering, "no"),
    ]

    private static let heartbeat = Heartbeat(every: APIBounds.heartbeat, StreamChunk(RoomEvents.comment))
}

/// The sequence that a client which was cut off has seen last; `nil` where it does not say, or nothing that can be understood.
private func lastEventID(_ fields: Fields) -> Int? {
    let lines = fields.values(of: .lastEventID)
    return lines.count == 1 ? decimal(lines[0]) : nil
}
