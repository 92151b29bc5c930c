import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// Answers the shipped app: its routes, on the same rooms.
    ///
    /// - Parameter method: one of the route's, GET for HEAD.
    func handle(_ call: Call, _ route: LegacyRoute, _ method: Method) throws(Problem) {
        switch (route, method) {
        case (.randomMenu, _): try legacyRandomMenu(call)
        case (.groups, _): try legacyOpen(call)
        case (.solo, _): try legacySolo(call)
        case (.group(let pin), .get): legacyExists(call, pin)
        case (.group(let pin), .post): try legacySubmit(call, pin)
        case (.group(let pin), _): try legacyWithdraw(call, pin)
        case (.wait(let pin), _): try legacyWait(call, pin)
        case (.result(let pin), _): try legacyResult(call, pin)
        }
    }

    /// `GET /menu/random`
    private func legacyRandomMenu(_ call: Call) throws(Problem) {
        guard let menu = rooms.randomMenu(of: rooms.catalogue, vetoes: SmallSet()) else { throw Problem(.menuNotFound) }
        call.send(200, fields: call.localized) { $0.legacyMenu(menu, in: call.language, at: pictureBase(call)) }
    }

    /// `POST /group?token=`: the PIN as a number, so one without a zero in front.
    ///
    /// The app does not say who it is when it asks for the result, so anybody who does so reveals it.
    private func legacyOpen(_ call: Call) throws(Problem) {
        let caller = try legacyCaller(call)
        let token = legacyToken(call)
        let admission = throttle.admission(of: call.address)
        let opened = call.answering(failed: admission.withdraw) { [self] (published: PublishedRoom) in
            registerLegacy(token, of: caller, call)
            let pin = published.room.pin
            return Response(201, fields: [Field(.location, "/group/\(pin)")]) { $0.integer(pin.number) }
        }
        rooms.open(
            by: caller, nickname: nil, revealWhen: RevealPolicy(anyone: true), deadlineAt: nil, pinIsNumber: true,
            admit: admission.ask, answering: opened)
    }

    /// `GET /group/{pin}`: whether there is such a room. The app knows no other answer, so it gets none for guessing; but it counts.
    private func legacyExists(_ call: Call, _ text: String) {
        let noRoom = { @Sendable in
            call.countFailedLookup()
            call.send(200) { $0.bool(false) }
        }
        guard let pin = PIN(text) else { return noRoom() }
        rooms.read(pin) { result in
            switch result {
            case .success: call.send(200) { $0.bool(true) }
            case .failure(.roomNotFound): noRoom()
            case .failure(let failure): call.refuse(failure)
            }
        }
    }

    /// `POST /group/{pin}`: the caller's answers, in place of any that they gave before.
    private func legacySubmit(_ call: Call, _ text: String) throws(Problem) {
        let body = try BodyReader(try call.json())
        let caller = try legacyCaller(token: body.json["token"]?.string)
        let pin = try call.pin(text)
        rooms.submit(to: pin, by: caller, reading: LegacyAnswers(body, for: pin).sheet) { [self] result in
            switch result {
            case .failure(let failure): call.refuse(Problem(failure))
            case .success:
                registerLegacy(body.json["token"]?.string, of: caller, call)
                call.sendEmpty()
            }
        }
    }

    /// `PUT /group/{pin}?token=`: takes the caller's answers back.
    private func legacyWithdraw(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try legacyCaller(call)
        rooms.withdraw(from: try call.pin(pin), by: caller) { result in
            switch result {
            case .failure(let failure): call.refuse(Problem(failure))
            case .success: call.sendEmpty()
            }
        }
    }

    /// `GET /group/{pin}/gameresultwait?token=`
    private func legacyWait(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try legacyCaller(call)
        rooms.read(try call.pin(pin)) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published):
                call.send(200) { $0.legacyWait(published.room, isHost: published.standing(of: caller).isHost) }
            }
        }
    }

    /// `GET /group/{pin}/gameresult`: in a room that the app has opened, the first to ask for the result reveals it.
    ///
    /// That is no safe method as RFC 9110 §9.2.1 has it, so whoever only looks ahead is told that there is nothing yet.
    private func legacyResult(_ call: Call, _ pin: String) throws(Problem) {
        let pin = try call.pin(pin)
        let mayReveal = call.request.method == .get && !isPrefetch(call.request.fields)
        let base = pictureBase(call)
        let send = { @Sendable (result: RoundResult) in
            call.send(200, fields: call.localized) { $0.legacyResult(result.outcome, in: call.language, at: base) }
        }
        rooms.read(pin) { [rooms] result in
            switch result {
            case .failure(let failure): return call.refuse(failure)
            case .success(let published):
                if let result = published.room.result { return send(result) }
                guard mayReveal else { return call.refuse(Problem(.notRevealed)) }
            }
            let revealed = Answering<RoundResult> { result in
                switch result {
                case .success(let result): send(result)
                // A room that was opened otherwise: who reveals that says who they are.
                case .failure(.refused(.notHost)), .failure(.refused(.notByHand)), .failure(.refused(.notMember)):
                    call.refuse(Problem(.notRevealed))
                case .failure(let failure): call.refuse(failure)
                }
            }
            rooms.reveal(pin, by: nil, answering: revealed)
        }
    }

    /// `POST /group/solo`
    private func legacySolo(_ call: Call) throws(Problem) {
        let catalogue = rooms.catalogue
        let sheet = try LegacyAnswers(try BodyReader(try call.json()), for: nil).sheet(in: catalogue)
        let base = pictureBase(call)
        rooms.playSolo(
            sheet, in: catalogue,
            answering: call.answering { outcome, _ in
                Response(200, fields: call.localized) { $0.legacyResult(outcome, in: call.language, at: base) }
            })
    }

    /// What the addresses of pictures begin with. A request that calls us nothing gets them without.
    private func pictureBase(_ call: Call) -> String {
        ownURL(call)?.text ?? ""
    }
}

extension Call {
    /// The app looks at the status alone.
    fileprivate func sendEmpty() { send(Response(Status(200), fields: [Field(.cacheControl, "no-store")])) }
}
