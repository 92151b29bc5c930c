import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// `POST /v1/rooms`
    func openRoom(_ call: Call) throws(Problem) {
        let caller = try call.requireCaller()
        let wish = try RoomWish(call.json(optional: true), at: rooms.now(), lifetime: rooms.lifetime)
        let client = call.address
        try throttle.countRoom(openedBy: client)
        rooms.open(by: caller, nickname: wish.nickname, revealWhen: wish.revealWhen, deadlineAt: wish.deadlineAt) {
            [rooms, throttle] result in
            switch result {
            case .failure(let failure):
                throttle.discountRoom(openedBy: client)
                call.refuse(failure)
            case .success(let published):
                call.send(201, fields: [(.location, "/v1/rooms/\(published.room.pin)")]) {
                    $0.snapshot(of: published, for: caller, at: rooms.now())
                }
            }
        }
    }

    /// `GET /v1/rooms/{pin}`
    func readRoom(_ call: Call, _ pin: String) throws(Problem) {
        let pin = try call.pin(pin)
        rooms.read(pin) { [rooms] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published):
                // Weak, for the times in the body move on while the room stands still.
                let tag = "W/\"\(published.room.id.text)-\(published.room.sequence)-\(CallerView(published, call.caller).flags)\""
                let fields: [(name: FieldName, value: String)] = [
                    (.contentType, "application/json"), (.eTag, tag), (.cacheControl, "no-cache"), (.vary, "Authorization"),
                ]
                if isKnown(tag, to: call.request.fields) { return call.send(Response(Status(304), fields: fields)) }
                var writer = JSONWriter()
                writer.snapshot(of: published, for: call.caller, at: rooms.now())
                call.send(Response(Status(200), fields: fields, body: writer.bytes))
            }
        }
    }
}
