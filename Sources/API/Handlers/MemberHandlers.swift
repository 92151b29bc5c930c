import HTTP
import MenuGame
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
        rooms.leave(try call.pin(pin), as: caller) { call.sendNothing($0) }
    }

    /// `DELETE /v1/rooms/{pin}/members/{id}`
    func remove(_ call: Call, _ pin: String, _ member: String) throws(Problem) {
        let caller = try call.requireCaller()
        guard let member = MemberID(member) else { throw Self.noSuchMember }
        let pin = try call.pin(pin)
        rooms.remove(member, from: pin, by: caller) { result in
            if case .failure(.refused(.unknownMember)) = result { return call.refuse(Self.noSuchMember) }
            call.sendNothing(result)
        }
    }

    private static let noSuchMember = Problem(
        .routeNotFound, detail: Localized(ko: "이 방에 그런 멤버가 없습니다.", en: "There is no such member in this room."))

    /// `PUT /v1/rooms/{pin}/host`
    func handOver(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        var reader = try BodyReader(call.json())
        let id = reader.string("memberId")
        try reader.finish()
        guard let member = id.flatMap({ MemberID($0) }) else { throw Problem(.refused(.unknownMember)) }
        let pin = try call.pin(pin)
        rooms.handOver(pin, to: member, by: caller) { [rooms] result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published): call.send(200) { $0.snapshot(of: published, for: caller, at: rooms.now()) }
            }
        }
    }
}
