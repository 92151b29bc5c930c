import HTTP
import MenuGame
import UseCases

extension API {
    /// `POST /v1/rooms/{pin}/reveal`
    func reveal(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let pin = try call.pin(pin)
        rooms.reveal(pin, by: caller) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let result): call.send(200, fields: call.localized) { $0.result(result, pin: pin, in: call.language) }
            }
        }
    }

    /// `GET /v1/rooms/{pin}/result`
    func readResult(_ call: Call, _ pin: String) throws(Problem) {
        guard let query = queryItems(call.request.query) else { throw Problem(.malformedRequest) }
        var round: Int?
        if let text = query.last(where: { $0.name == "round" })?.value {
            guard let number = Int(text), number > 0 else { throw Problem(.malformedRequest) }
            round = number
        }
        rooms.read(try call.pin(pin)) { [round] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published):
                let room = published.room
                guard let result = room.result(of: round ?? room.round) else { return call.refuse(Problem(.notRevealed)) }
                call.send(200, fields: call.localized) { $0.result(result, pin: room.pin, in: call.language) }
            }
        }
    }

    /// `POST /v1/solo`
    func playSolo(_ call: Call) throws(Problem) {
        let sheet = try AnswersBody(try call.json()).sheet(in: rooms.catalogue)
        rooms.playSolo(sheet) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success((let outcome, let now)):
                call.send(200, fields: call.localized) { $0.result(outcome, at: now, in: call.language) }
            }
        }
    }
}
