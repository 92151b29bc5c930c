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
    /// Refused with `alreadyRevealed`, `roomFull` or `removed`.
    ///
    /// - Parameters:
    ///   - condition: which revision the answers are to take the place of; `nil` for whatever there is.
    ///   - read: makes the sheet of what came in, by the names of the catalogue that the room is played with.
    public func submit<Fault: Error & Sendable>(
        to pin: PIN, by token: TokenHash, if condition: RevisionCondition? = nil,
        reading read: @escaping @Sendable (Catalogue) throws(Fault) -> AnswerSheet,
        completion: @escaping @Sendable (Result<Submitted, SubmitFailure<Fault>>) -> Void
    ) {
        self.read(pin) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(.failed(failure)))
            case .success(let published):
                // Beside the writer: what is wrong with it stays wrong.
                let sheet: AnswerSheet
                do throws(Fault) { sheet = try read(published.room.catalogue) } catch { return completion(.failure(.faulty(error))) }
                edit(published, by: token, if: condition, completion) { room, now throws(Refusal) in
                    try .success(room.submit(sheet, by: token, at: now))
                }
            }
        }
    }

    /// Changes some of the answers that a member gave, in one step with reading them.
    ///
    /// Refused with `alreadyRevealed`, `notMember` or `noSubmission`.
    ///
    /// - Parameter edit: makes the new sheet of the former one. The same again is no new revision.
    public func edit<Fault: Error & Sendable>(
        in pin: PIN, by token: TokenHash, if condition: RevisionCondition? = nil,
        editing edit: @escaping @Sendable (AnswerSheet, Catalogue) throws(Fault) -> AnswerSheet,
        completion: @escaping @Sendable (Result<Submitted, SubmitFailure<Fault>>) -> Void
    ) {
        read(pin) { [self] result in
            switch result {
            case .failure(let failure): completion(.failure(.failed(failure)))
            case .success(let published):
                self.edit(published, by: token, if: condition, completion) { room, now throws(Refusal) in
                    guard room.phase == .open else { throw .alreadyRevealed }
                    guard let member = room.member(token) else { throw .notMember }
                    guard let former = member.submission else { throw .noSubmission }
                    let sheet: AnswerSheet
                    do throws(Fault) { sheet = try edit(former.sheet, room.catalogue) } catch { return .failure(error) }
                    guard sheet != former.sheet else { return .success((former, isNew: false)) }
                    return .success(try room.submit(sheet, by: token, at: now))
                }
            }
        }
    }

    /// Takes a caller's submission back. Where there is none, that is fine. Refused with `alreadyRevealed`.
    public func withdraw(
        from pin: PIN, by token: TokenHash, if condition: RevisionCondition? = nil,
        completion: @escaping @Sendable (Result<PublishedRoom, SubmitFailure<Never>>) -> Void
    ) {
        let answering = Answering<(Result<Void, SubmitFailure<Never>>, PublishedRoom)> { result in
            completion(result.mapError(SubmitFailure.failed).flatMap { withdrawn, room in withdrawn.map { room } })
        }
        change(pin, answering) { room, _ throws(Refusal) in
            guard room.phase == .open else { throw .alreadyRevealed }
            let current = room.member(token)?.submission
            if let condition, !condition.holds(for: current) { return .failure(.mismatch(current: current, in: room.catalogue)) }
            return .success(try room.withdraw(token))
        }
    }

    /// Applies `body` to the room that was read, if the caller's submission is still one that they have in mind.
    private func edit<Fault: Error & Sendable>(
        _ basis: PublishedRoom, by token: TokenHash, if condition: RevisionCondition?,
        _ completion: @escaping @Sendable (Result<Submitted, SubmitFailure<Fault>>) -> Void,
        _ body: @escaping @Sendable (inout Room, Instant) throws(Refusal) -> Result<(submission: Submission, isNew: Bool), Fault>
    ) {
        writer.add(
            RoomWriter.Job(
                target: .room(basis.room.pin),
                apply: { [id = basis.room.id] room, now in
                    let edit: Result<(submission: Submission, isNew: Bool), SubmitFailure<Fault>>
                    do throws(Refusal) {
                        if room.id != id {
                            // The PIN was drawn again in between, for a room with another catalogue.
                            edit = .failure(.failed(.roomNotFound))
                        } else if let condition, case let current = room.member(token)?.submission, !condition.holds(for: current) {
                            // What would fail without the condition fails as it would without it (RFC 9110 §13.2.1).
                            var rehearsal = room
                            let catalogue = room.catalogue
                            edit = try body(&rehearsal, now).mapError(SubmitFailure.faulty)
                                .flatMap { _ in .failure(.mismatch(current: current, in: catalogue)) }
                        } else {
                            edit = try body(&room, now).mapError(SubmitFailure.faulty)
                        }
                    } catch {
                        // It waits for the commit, too: it may rest on a change of the same batch.
                        edit = .failure(.failed(.refused(error)))
                    }
                    return RoomWriter.Job.Applied { result in
                        switch result {
                        case .success(let room):
                            completion(edit.map { Submitted(submission: $0.submission, isNew: $0.isNew, room: room) })
                        case .failure(let failure): completion(.failure(.failed(failure)))
                        }
                    }
                },
                fail: { completion(.failure(.failed($0))) }))
    }
}

/// Why answers were not taken.
public enum SubmitFailure<Fault: Error & Sendable>: Error, Sendable {
    /// For a reason that has nothing to do with what they say.
    case failed(Failure)
    /// They make no sheet of the room's catalogue.
    case faulty(Fault)
    /// The caller's submission is not the one that they had in mind, but this; `nil` where there is none.
    case mismatch(current: Submission?, in: Catalogue)
}
