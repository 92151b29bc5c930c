public import MenuGame

/// What became of a submission: the revision that is stored now, whether it is the caller's first, and the room as committed with it.
public struct Submitted: Sendable {
    public let submission: Submission
    public let isNew: Bool
    public let room: PublishedRoom
}

extension Rooms {
    /// Hands in answers, in place of any that this caller gave before; lets them in if need be.
    ///
    /// Refused with `alreadyRevealed` or `roomFull`.
    ///
    /// - Parameter read: makes the sheet of what came in, by the names of the catalogue that the room is played with.
    public func submit<Fault: Error & Sendable>(
        to pin: PIN, by token: TokenHash, reading read: @escaping @Sendable (Catalogue) throws(Fault) -> AnswerSheet,
        completion: @escaping @Sendable (Result<Submitted, SubmitFailure<Fault>>) -> Void
    ) {
        self.read(pin) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(.failed(failure)))
            case .success(let published):
                do throws(Fault) {
                    let sheet = try read(published.room.catalogue)
                    submit(sheet, to: published.room, by: token) { completion($0.mapError(SubmitFailure.failed)) }
                } catch {
                    completion(.failure(.faulty(error)))
                }
            }
        }
    }

    private func submit(_ sheet: AnswerSheet, to room: Room, by token: TokenHash, completion: @escaping Completion<Submitted>) {
        let id = room.id
        change(
            room.pin,
            { (result: Result<((submission: Submission, isNew: Bool)?, PublishedRoom), Failure>) in
                completion(
                    result.flatMap { answer, room in
                        guard let answer else { return .failure(.roomNotFound) }
                        return .success(Submitted(submission: answer.submission, isNew: answer.isNew, room: room))
                    })
            }
        ) { room, now throws(Refusal) in
            // The PIN may have been drawn again in between, for a room with another catalogue.
            room.id == id ? try room.submit(sheet, by: token, at: now) : nil
        }
    }

    /// Takes a caller's submission back. Where there is none, that is fine. Refused with `alreadyRevealed`.
    public func withdraw(from pin: PIN, by token: TokenHash, completion: @escaping Completion<PublishedRoom>) {
        change(pin, { completion($0.map(\.1)) }) { room, _ throws(Refusal) in
            try room.withdraw(token)
        }
    }
}

/// Why answers were not taken.
public enum SubmitFailure<Fault: Error & Sendable>: Error, Sendable {
    /// For a reason that has nothing to do with what they say.
    case failed(Failure)
    /// They make no sheet of the room's catalogue.
    case faulty(Fault)
}
