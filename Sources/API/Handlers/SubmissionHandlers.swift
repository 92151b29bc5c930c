import GameJSON
import HTTP
import JSON
import MenuGame
import UseCases

extension API {
    /// `PUT /v1/rooms/{pin}/submission`
    func submit(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        let answers = AnswersBody(try call.json())
        let pin = try call.pin(pin)
        rooms.submit(to: pin, by: caller, reading: answers.sheet) { [rooms] result in
            switch result {
            case .failure(.failed(let failure)): call.refuse(failure)
            case .failure(.faulty(let problem)): call.refuse(problem)
            case .success(let submitted):
                let room = submitted.room.room
                call.send(submitted.isNew ? 201 : 200, fields: [(.eTag, tag(of: submitted.submission))]) { writer in
                    writer.object { writer in
                        writer.name("submission")
                        writer.submission(submitted.submission, in: room.catalogue)
                        writer.name("room")
                        writer.snapshot(of: submitted.room, for: caller, at: rooms.now())
                    }
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
                call.send(200, fields: [(.eTag, tag(of: submission))]) { $0.submission(submission, in: published.room.catalogue) }
            }
        }
    }

    /// `DELETE /v1/rooms/{pin}/submission`
    func withdraw(_ call: Call, _ pin: String) throws(Problem) {
        let caller = try call.requireCaller()
        rooms.withdraw(from: try call.pin(pin), by: caller) { result in
            switch result {
            case .failure(let failure): call.refuse(failure)
            case .success: call.send(Response(Status(204)))
            }
        }
    }
}

/// The entity tag of a submission is its revision.
private func tag(of submission: Submission) -> String { "\"\(submission.revision)\"" }

extension JSONWriter {
    fileprivate mutating func submission(_ submission: Submission, in catalogue: Catalogue) {
        object { writer in
            writer.member("id", submission.id.description)
            writer.member("revision", submission.revision)
            writer.member("submittedAt", submission.submittedAt.milliseconds)
            writer.members(of: submission.sheet.draft(in: catalogue))
        }
    }
}
