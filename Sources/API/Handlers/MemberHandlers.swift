import HTTP
import UseCases

extension API {
    /// `PUT /v1/rooms/{pin}/members/me`
    func join(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let nickname = try nickname(in: call.json(optional: true))
        let pin = try call.pin(pin)
        rooms.join(pin, as: caller, nickname: nickname) { [rooms] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success((let isNew, let published)):
                call.send(isNew ? 201 : 200) { $0.snapshot(of: published, for: caller, at: rooms.now()) }
            }
        }
    }

    /// `DELETE /v1/rooms/{pin}/members/me`
    func leave(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        rooms.leave(try call.pin(pin), as: caller) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success: call.send(Response(Status(204)))
            }
        }
    }
}
