import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// `POST /v1/rooms`
    func openRoom(_ call: Call) throws(Problem) {
        let caller = try call.requireCaller()
        let wish = try RoomWish(call.json(optional: true), at: rooms.now(), lifetime: rooms.lifetime)
        let admission = throttle.admission(of: call.address)
        let opened = call.answering(failed: admission.withdraw) { [rooms] (published: PublishedRoom) in
            Response(201, fields: [Field(.location, "/v1/rooms/\(published.room.pin)")]) {
                $0.snapshot(of: published, for: caller, at: rooms.now())
            }
        }
        rooms.open(
            by: caller, nickname: wish.nickname, revealWhen: wish.revealWhen, deadlineAt: wish.deadlineAt,
            admit: admission.ask, answering: opened)
    }

    /// `DELETE /v1/rooms/{pin}`
    func closeRoom(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let pin = try call.pin(pin)
        rooms.close(pin, by: caller) { [throttle] result in
            if case .success = result { throttle.noteEnd(of: pin) }
            call.sendNothing(result)
        }
    }

    /// `GET /v1/rooms/{pin}`, answered at once or, where the query says so, when there is news.
    func readRoom(_ call: Call, _ pin: String) throws(Problem) {
        let hold = try Hold(call.request.query, isHead: call.request.method == .head)
        let pin = try call.pin(pin)
        rooms.read(pin) { [self] result in
            if let hold, case .success(let published) = result, published.room.sequence <= hold.after {
                self.hold(call, published, hold)
            } else {
                answer(call, result)
            }
        }
    }

    /// Holds an answer until the room changes, the time is up, or there is no more point in waiting.
    private func hold(_ call: Call, _ published: PublishedRoom, _ hold: Hold) {
        guard let place = openStreams.take(for: call) else { return call.refuse(Problem(.tooManyAttempts)) }
        let wait = rooms.awaitChange(of: published, after: hold.after, atMost: hold.seconds) { [self] result in
            openStreams.free(place)
            if case .failure(.roomNotFound) = result { throttle.noteEnd(of: published.room.pin) }
            answer(call, result)
        }
        call.onInterruption { _ in wait.end() }
    }

    private func answer(_ call: Call, _ result: Result<PublishedRoom, Failure>) {
        switch result {
        case .failure(let failure): call.refuse(failure)
        case .success(let published): call.send(response(to: call, published))
        }
    }

    private func response(to call: Call, _ published: PublishedRoom) -> Response {
        // Weak, for the times in the body move on while the room stands still.
        let view = CallerView(published, call.caller)
        let tag = weakTag(published.room.id, published.room.sequence, view.flags)
        var response = Response(Status(200))
        response.fields.reserveCapacity(5)  // the last is the request's id
        response.fields.append(Field(.contentType, "application/json"))
        response.fields.append(Field(.eTag, tag))
        // There are names in it, which no shared cache is to keep.
        response.fields.append(Field(.cacheControl, "private, no-cache"))
        response.fields.append(Field(.vary, "Authorization"))
        if published.asOf == nil, isKnown(tag, to: call.request.fields) {
            response.status = Status(304)
            return response
        }
        // What cannot be compared with the store just now must not pass for the present.
        response.body = JSONWriter.bytes { $0.snapshot(of: published, as: view, at: published.asOf ?? rooms.now()) }
        return response
    }
}
