import HTTP
import MenuGame
import UseCases

extension API {
    /// `POST /v1/rooms/{pin}/reveal`
    func reveal(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let pin = try call.pin(pin)
        rooms.reveal(
            pin, by: caller,
            answering: call.answering { result in
                Response(200, fields: call.localized) { $0.result(result, pin: pin, in: call.language) }
            })
    }

    /// `POST /v1/rooms/{pin}/decision`
    func decide(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        var reader = try BodyReader(call.json())
        let menu = reader.string("menuId")
        try reader.finish()
        let pin = try call.pin(pin)
        rooms.decide(on: Identifier(menu ?? ""), in: pin, by: caller, answering: snapshot(call, 200, for: caller))
    }

    /// `POST /v1/rooms/{pin}/rounds`
    func beginRound(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let wish = try RoundWish(call.json(optional: true))
        rooms.beginRound(in: try call.pin(pin), by: caller, deadlineAt: wish.deadlineAt, answering: snapshot(call, 201, for: caller))
    }

    private func snapshot(_ call: Call, _ status: Int, for caller: TokenHash) -> Answering<PublishedRoom> {
        call.answering { [rooms] published in Response(status) { $0.snapshot(of: published, for: caller, at: rooms.now()) } }
    }

    /// `GET /v1/rooms/{pin}/result`
    func readResult(_ call: Call, _ pin: String) throws(Problem) {
        let round = try Query(call.request.query).number("round", in: 1...Int.max)
        rooms.read(try call.pin(pin)) { result in
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
        let catalogue = rooms.catalogue
        let sheet = try AnswersBody(try call.text()).sheet(in: catalogue)
        // What is kept of it is bounded as rooms are.
        let admission = throttle.admission(of: call.address)
        if call.wish != nil, let failure = admission.ask() { throw Problem(failure) }
        rooms.playSolo(
            sheet, in: catalogue,
            answering: call.answering(failed: admission.withdraw) { outcome, now in
                Response(200, fields: call.localized) { $0.result(outcome, at: now, in: call.language) }
            })
    }
}
