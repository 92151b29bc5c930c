import GameJSON
import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// `PUT /v1/rooms/{pin}/submission`
    func submit(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let answers = AnswersBody(try call.text())
        let pin = try call.pin(pin)
        rooms.submit(to: pin, by: caller, if: revisionCondition(call.request.fields), reading: answers.sheet) { [self] result in
            send(call, result, for: caller)
        }
    }

    /// `PATCH /v1/rooms/{pin}/submission`: a JSON Merge Patch (RFC 7396) of the caller's own.
    func edit(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let patch = AnswersPatchBody(try call.json(or: "application/merge-patch+json"))
        let pin = try call.pin(pin)
        rooms.edit(in: pin, by: caller, if: revisionCondition(call.request.fields), editing: patch.sheet) { [self] result in
            send(call, result, for: caller)
        }
    }

    private func send(_ call: Call, _ result: Result<Submitted, SubmitFailure<Problem>>, for caller: TokenHash) {
        switch result {
        case .failure(let failure): call.refuse(Problem(failure))
        case .success(let submitted):
            call.send(submitted.isNew ? 201 : 200, fields: [Field(.eTag, tag(of: submitted.submission))]) { writer in
                writer.object { writer in
                    writer.name("submission")
                    writer.submission(submitted.submission, in: submitted.room.room.catalogue)
                    writer.name("room")
                    writer.snapshot(of: submitted.room, for: caller, at: rooms.now())
                }
            }
        }
    }

    /// `GET /v1/rooms/{pin}/submission`: the caller's own and nobody else's.
    func readSubmission(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        rooms.read(try call.pin(pin)) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success(let published):
                guard let member = published.room.member(caller) else { return call.refuse(Problem(.notMember)) }
                guard let submission = member.submission else { return call.refuse(Problem(.submissionNotFound)) }
                call.send(200, fields: [Field(.eTag, tag(of: submission))]) { $0.submission(submission, in: published.room.catalogue) }
            }
        }
    }

    /// `DELETE /v1/rooms/{pin}/submission`
    func withdraw(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        rooms.withdraw(from: try call.pin(pin), by: caller, if: revisionCondition(call.request.fields)) { result in
            switch result {
            case .failure(let failure): call.refuse(Problem(failure))
            case .success: call.send(Response(Status(204)))
            }
        }
    }
}
