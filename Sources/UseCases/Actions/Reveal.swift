public import MenuGame

extension Rooms {
    /// Computes, stores and freezes the result of a room's round; once revealed, gives the same again.
    ///
    /// Refused with `notMember`, `notHost`, `notByHand` (see `Room.mayReveal`) or `noSubmissions`.
    ///
    /// - Parameter token: `nil` for somebody who does not say who they are.
    public func reveal(_ pin: PIN, by token: TokenHash?, answering: Answering<RoundResult>) {
        reveal(pin, by: token, attempt: 1, answering: answering)
    }

    /// The recommendation is computed from the room as published, aside, and holds if the submissions are still the same when the writer
    /// comes to it. A room in which they keep changing is computed by the writer itself in the end.
    private func reveal(_ pin: PIN, by token: TokenHash?, attempt: Int, answering: Answering<RoundResult>) {
        read(pin) { [self] result in
            let room: Room
            switch result {
            case .failure(let failure): return answering.fail(failure)
            case .success(let published): room = published.room
            }
            // What changes nothing is answered at once, unless it is to be answered the same again, or may rest on what another server has
            // changed: where the store cannot be asked just now, the room is only what it was.
            if !store.isShared, case .each(let completion) = answering.way {
                do throws(Refusal) {
                    try room.mayReveal(token, at: environment.now())
                    if let result = room.result { return completion(.success(result)) }
                    guard room.submissionCount > 0 else { throw .noSubmissions }
                } catch {
                    return completion(.failure(.refused(error)))
                }
            }
            // Nothing is computed for who may not ask for it, whatever it is that they are told, and however often.
            let mayReveal = (try? room.mayReveal(token, at: environment.now())) != nil
            guard room.result == nil, room.submissionCount > 0, mayReveal else {
                return freeze(nil, of: room, by: token, attempt: attempt, answering: answering)
            }
            let hasRoom = computeQueue.submit { [self] in
                freeze(room.recommendation(), of: room, by: token, attempt: attempt, answering: answering)
            }
            if !hasRoom { answering.fail(.storeUnavailable) }
        }
    }

    private func freeze(
        _ recommendation: Recommendation?, of basis: Room, by token: TokenHash?, attempt: Int, answering: Answering<RoundResult>
    ) {
        let (id, submissions) = (basis.id, basis.submissionsSequence)
        change(basis.pin, answering.map(\.0), orElse: { self.reveal(basis.pin, by: token, attempt: attempt + 1, answering: answering) }) {
            room, now throws(Refusal) in
            try room.mayReveal(token, at: now)
            let isBasis = room.id == id && room.submissionsSequence == submissions
            if isBasis, recommendation != nil || room.submissionCount == 0 { return try room.reveal(recommendation, at: now) }
            guard attempt >= 3 else { return room.result }
            return try room.reveal(at: now)
        }
    }
}
