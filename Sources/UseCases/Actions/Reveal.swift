public import MenuGame

extension Rooms {
    /// Computes, stores and freezes the result of a room's round; once revealed, gives the same again.
    ///
    /// Refused with `notMember`, `notHost` (see `Room.mayReveal`) or `noSubmissions`.
    ///
    /// - Parameter token: `nil` for somebody who does not say who they are.
    public func reveal(_ pin: PIN, by token: TokenHash?, completion: @escaping Completion<RoundResult>) {
        reveal(pin, by: token, attempt: 1, completion: completion)
    }

    /// The recommendation is computed from the room as published, aside, and holds if the submissions are still the same when the writer
    /// comes to it. A room in which they keep changing is computed by the writer itself in the end.
    private func reveal(_ pin: PIN, by token: TokenHash?, attempt: Int, completion: @escaping Completion<RoundResult>) {
        read(pin) { [self] result in
            let room: Room
            switch result {
            case .failure(let failure): return completion(.failure(failure))
            case .success(let published): room = published.room
            }
            do throws(Refusal) {
                try room.mayReveal(token, at: environment.now())
                if let result = room.result { return completion(.success(result)) }
                guard room.submissionCount > 0 else { throw .noSubmissions }
            } catch {
                return completion(.failure(.refused(error)))
            }
            let hasRoom = workshop.compute { [self] in
                let recommendation = room.recommendation()
                let basis = (id: room.id, submissions: room.submissionsSequence)
                change(
                    pin,
                    { (result: Result<(RoundResult?, PublishedRoom), Failure>) in
                        switch result {
                        case .failure(let failure): completion(.failure(failure))
                        case .success((let result?, _)): completion(.success(result))
                        case .success((nil, _)): self.reveal(pin, by: token, attempt: attempt + 1, completion: completion)
                        }
                    }
                ) { room, now throws(Refusal) in
                    try room.mayReveal(token, at: now)
                    let isCurrent = room.id == basis.id && room.submissionsSequence == basis.submissions
                    if isCurrent { return try room.reveal(recommendation, at: now) }
                    guard attempt >= 3 else { return room.result }
                    return try room.reveal(at: now)
                }
            }
            if !hasRoom { completion(.failure(.storeUnavailable)) }
        }
    }
}
